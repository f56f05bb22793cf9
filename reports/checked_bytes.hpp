#pragma once

#include <cstdint>
#include <string>

#include "reports/json.hpp"

namespace ithaca::reports {

/// How much of what a cell's timed exchanges delivered was compared with what belongs there, over
/// all ranks.
struct checked_bytes {
  std::uint64_t exchanges = 0;
  std::uint64_t bytes = 0;
  std::uint64_t mismatched_bytes = 0;
  bool operator==(const checked_bytes&) const = default;
};

json to_json(const checked_bytes& from);
/// Throws `std::invalid_argument`, naming `place`, for anything else.
checked_bytes checked_bytes_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
