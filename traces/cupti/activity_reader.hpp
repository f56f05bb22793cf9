#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "traces/cupti/raw_activity.hpp"

namespace ithaca::traces {

/// Turns CUPTI's records, in any order, into activities with their operations.
class activity_reader {
 public:
  /// Copies what is needed out of `record`; kinds that are no device activity only help to
  /// correlate.
  void add(const CUpti_Activity& record);
  /// All activities so far, each with the operation that was pushed around its launch.
  std::vector<raw_activity> take();

 private:
  void add_activity(raw_activity activity, std::uint32_t runtime_correlation);

  std::vector<raw_activity> activities_;
  std::vector<std::uint32_t> runtime_correlations_;  ///< by activity; 0: none
  std::unordered_map<std::uint32_t, std::uint64_t> operation_of_call_;
};

}  // namespace ithaca::traces
