#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "reports/json.hpp"

namespace ithaca::reports {

/// What one exchange does, exactly: every operation of all ranks of one group in the traced pass.
struct operation_counts {
  std::map<std::string, std::uint64_t> kernels = {};  ///< launches by name
  std::uint64_t peer_copies = 0;
  std::uint64_t peer_bytes = 0;
  std::uint64_t local_copies = 0;
  std::uint64_t signal_writes = 0;
  std::uint64_t signal_waits = 0;
  /// Of all exchanges after warm-up together.
  std::uint64_t allocations_after_warmup = 0;
  std::uint64_t host_collectives_after_warmup = 0;
  bool operator==(const operation_counts&) const = default;
};

json to_json(const operation_counts& from);
/// Throws `std::invalid_argument`, naming `place`, for what are no counts.
operation_counts operation_counts_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
