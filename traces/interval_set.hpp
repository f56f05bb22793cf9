#pragma once

#include <cstdint>
#include <vector>

#include "traces/time_interval.hpp"

namespace ithaca::traces {

/// Stretches of time in integer nanoseconds: sorted, none empty, no two that overlap or touch.
class interval_set {
 public:
  interval_set() = default;
  /// The union of `intervals`, which come in any order and may overlap; those of no length are left
  /// out. Throws `std::invalid_argument` for one that ends before it starts.
  explicit interval_set(std::vector<time_interval> intervals);

  const std::vector<time_interval>& intervals() const { return intervals_; }
  bool empty() const { return intervals_.empty(); }
  /// The lengths of all intervals together.
  std::int64_t total_ns() const;

  bool operator==(const interval_set&) const = default;

 private:
  std::vector<time_interval> intervals_;
};

/// The time that is in either.
interval_set union_of(const interval_set& a, const interval_set& b);
/// The time that is in both.
interval_set intersection_of(const interval_set& a, const interval_set& b);
/// The time that is in `a` but not in `b`.
interval_set difference_of(const interval_set& a, const interval_set& b);

}  // namespace ithaca::traces
