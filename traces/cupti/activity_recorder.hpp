#pragma once

#include <cstdint>
#include <vector>

#include "traces/cupti/raw_activity.hpp"

namespace ithaca::traces {

/// Records this process's device activities with CUPTI, from construction to `stop`, on
/// CLOCK_MONOTONIC. One at a time in a process; traced passes only, since it slows every call.
///
/// Failures of CUPTI are `std::runtime_error` with its own words (another profiler attached, no
/// permission).
class activity_recorder {
 public:
  /// Throws `std::logic_error` while another one records.
  activity_recorder();
  /// Stops recording; what was not fetched is lost.
  ~activity_recorder();
  activity_recorder(const activity_recorder&) = delete;
  activity_recorder& operator=(const activity_recorder&) = delete;

  /// What the calling thread launches from here to the matching `pop` belongs to `operation`.
  void push(std::uint64_t operation);
  void pop();

  /// Ends the recording and returns what was recorded. Call it once, after the device has finished
  /// (CUPTI does not wait for it). Throws `std::runtime_error` if CUPTI dropped a record: the
  /// traced pass is invalid; `std::logic_error` when called again.
  std::vector<raw_activity> stop();

 private:
  void disable() noexcept;

  std::vector<int> enabled_kinds_;  ///< CUPTI's numbers
  bool recording_ = false;
};

}  // namespace ithaca::traces
