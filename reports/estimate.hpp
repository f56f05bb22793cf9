#pragma once

#include <optional>

#include "reports/interval.hpp"

namespace ithaca::reports {

/// A value and, where it has one, its 95 % confidence interval.
struct estimate {
  double value = 0;
  std::optional<interval> ci95 = std::nullopt;
};

}  // namespace ithaca::reports
