#pragma once

namespace ithaca::reports {

/// A confidence interval, both ends included.
struct interval {
  double low = 0;
  double high = 0;
  bool operator==(const interval&) const = default;
};

}  // namespace ithaca::reports
