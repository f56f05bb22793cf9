#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/json.hpp"

namespace ithaca::reports {

/// How quickly a kernel moves its bytes on one device, measured in the same run.
struct kernel_rate {
  std::string kernel;       ///< its name, and what it was given, in words
  std::uint64_t bytes = 0;  ///< read and written by one launch
  double gbps = 0;          ///< 1e9 bytes a second
  double copy_share = 0;    ///< of the rate of a contiguous copy on the device, counted alike
  bool operator==(const kernel_rate&) const = default;
};

json to_json(const std::vector<kernel_rate>& from);
/// Throws `std::invalid_argument`, naming `place`, for what are no rates, and for two of one
/// kernel.
std::vector<kernel_rate> kernel_rates_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
