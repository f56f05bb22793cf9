#pragma once

#include <optional>
#include <string>

#include "reports/interval.hpp"
#include "reports/json.hpp"

namespace ithaca::reports {

/// One figure of a cell.
struct metric {
  double value = 0;
  std::string unit;
  std::optional<interval> ci95 = std::nullopt;  ///< 95 % confidence
  bool operator==(const metric&) const = default;
};

/// Throws `std::invalid_argument` for a figure that is not finite, which JSON can't hold.
json to_json(const metric& from);
/// Throws `std::invalid_argument`, naming `place`, for what is no metric.
metric metric_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
