#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "backend/device.hpp"
#include "backend/group.hpp"
#include "backend/host/host_device.hpp"
#include "backend/peer_memory.hpp"
#include "backend/step.hpp"

namespace ithaca::bench {

/// Starts the streams of all ranks of a host at once: one word in host memory that every rank
/// maps and its device watches, so that a single store opens every gate. No SM takes part. A
/// simulated world knows no memory but its devices': there it is a word of rank 0's.
///
/// Each host has a word of its own, opened by its lowest rank as that leaves the barrier of `open`.
/// Ranks of one host start within a microsecond of each other, those of different hosts as far
/// apart as ranks leave a barrier: tens of microseconds, which the samples then contain.
class start_gate {
 public:
  /// Collective. `on_host`: the ranks of the world that are on this host.
  start_gate(group& world, group& on_host, device& on);

  /// Operations that may be enqueued on a stream behind the closed gate: a GPU's stream takes about
  /// a thousand before the call that enqueues waits, which would then be for ever.
  static constexpr int most_operations_behind = 768;

  /// Holds `stream` here until the next `open`. Once between two openings, on every rank. What is
  /// enqueued in between has the group's deadline.
  void hold(stream& at);
  /// Collective: waits until every rank has come here, then opens.
  void open();

 private:
  group& world_;
  group& on_host_;
  device& device_;
  host_device memories_;
  peer_memory pages_;
  std::unique_ptr<memory> registered_;
  std::uint64_t ticket_ = 0;
  std::optional<blocking_call> enqueuing_;
};

}  // namespace ithaca::bench
