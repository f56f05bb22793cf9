#include "traces/interval_set.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace ithaca::traces {

interval_set::interval_set(std::vector<time_interval> intervals) {
  std::ranges::sort(intervals, {}, &time_interval::start_ns);
  for (const time_interval& each : intervals) {
    if (each.end_ns < each.start_ns) {
      throw std::invalid_argument(
          fmt::format("an interval ends {} ns before it starts", each.start_ns - each.end_ns));
    }
    if (each.end_ns == each.start_ns) continue;
    if (intervals_.empty() || intervals_.back().end_ns < each.start_ns) {
      intervals_.push_back(each);
    } else {
      intervals_.back().end_ns = std::max(intervals_.back().end_ns, each.end_ns);
    }
  }
}

std::int64_t interval_set::total_ns() const {
  std::int64_t total = 0;
  for (const time_interval& each : intervals_) total += length_ns(each);
  return total;
}

interval_set union_of(const interval_set& a, const interval_set& b) {
  std::vector<time_interval> both = a.intervals();
  both.insert(both.end(), b.intervals().begin(), b.intervals().end());
  return interval_set(std::move(both));
}

interval_set intersection_of(const interval_set& a, const interval_set& b) {
  std::vector<time_interval> common;
  auto in_a = a.intervals().begin();
  auto in_b = b.intervals().begin();
  while (in_a != a.intervals().end() && in_b != b.intervals().end()) {
    const time_interval shared{std::max(in_a->start_ns, in_b->start_ns),
                               std::min(in_a->end_ns, in_b->end_ns)};
    if (shared.start_ns < shared.end_ns) common.push_back(shared);
    if (in_a->end_ns < in_b->end_ns)
      ++in_a;
    else
      ++in_b;
  }
  return interval_set(std::move(common));
}

interval_set difference_of(const interval_set& a, const interval_set& b) {
  std::vector<time_interval> left;
  auto in_b = b.intervals().begin();
  for (time_interval rest : a.intervals()) {
    while (in_b != b.intervals().end() && in_b->end_ns <= rest.start_ns) ++in_b;
    // An interval of `b` may reach into the next one of `a`: it is not passed here.
    for (auto cut = in_b; cut != b.intervals().end() && cut->start_ns < rest.end_ns; ++cut) {
      if (rest.start_ns < cut->start_ns) left.push_back({rest.start_ns, cut->start_ns});
      rest.start_ns = cut->end_ns;
    }
    if (rest.start_ns < rest.end_ns) left.push_back(rest);
  }
  return interval_set(std::move(left));
}

}  // namespace ithaca::traces
