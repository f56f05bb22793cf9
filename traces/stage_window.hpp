#pragma once

#include <cstdint>

namespace ithaca::traces {

/// The operations of one rank that make up one run of a stage: all that were enqueued from the
/// first to the last, both included.
struct stage_window {
  int rank = 0;  ///< global rank
  std::uint64_t first_operation = 0;
  std::uint64_t last_operation = 0;
};

}  // namespace ithaca::traces
