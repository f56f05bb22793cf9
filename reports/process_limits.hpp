#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reports/json.hpp"

namespace ithaca::reports {

/// What the container and the system let rank 0's process have; empty: unlimited, or not readable.
struct process_limits {
  std::optional<std::uint64_t> memory_bytes = std::nullopt;  ///< of the control group
  std::optional<double> cpus = std::nullopt;  ///< processor time of the control group
  std::optional<std::uint64_t> shared_memory_bytes = std::nullopt;  ///< size of /dev/shm
  std::optional<std::uint64_t> locked_memory_bytes = std::nullopt;
  std::optional<std::uint64_t> open_files = std::nullopt;
  bool operator==(const process_limits&) const = default;
};

json to_json(const process_limits& from);
/// Throws `std::invalid_argument`, naming `place`, for what are no limits.
process_limits process_limits_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
