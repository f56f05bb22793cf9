#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "traces/interval_set.hpp"

namespace ithaca::traces {
namespace {

TEST(interval_set, sorts_merges_and_drops_what_has_no_length) {
  const interval_set set({{30, 40}, {0, 10}, {35, 38}, {10, 12}, {20, 20}, {39, 50}, {5, 7}});
  EXPECT_EQ(set.intervals(), (std::vector<time_interval>{{0, 12}, {30, 50}}));
  EXPECT_EQ(set.total_ns(), 32);
  EXPECT_TRUE(interval_set({{3, 3}}).empty());
  EXPECT_EQ(interval_set().total_ns(), 0);
  EXPECT_THROW(interval_set({{2, 1}}), std::invalid_argument);
}

TEST(interval_set, keeps_nanoseconds_that_no_double_holds) {
  const std::int64_t base = 9'007'199'254'740'993;
  EXPECT_EQ(interval_set({{base, base + 1}, {base + 2, base + 5}}).total_ns(), 4);
}

TEST(interval_set, cuts_one_interval_by_several_and_several_by_one) {
  const interval_set whole({{0, 100}});
  const interval_set parts({{-5, 10}, {20, 30}, {90, 100}});
  EXPECT_EQ(difference_of(whole, parts), interval_set({{10, 20}, {30, 90}}));
  EXPECT_EQ(difference_of(parts, whole), interval_set({{-5, 0}}));
  EXPECT_EQ(difference_of(parts, interval_set({{5, 25}})),
            interval_set({{-5, 5}, {25, 30}, {90, 100}}));
  EXPECT_EQ(intersection_of(whole, parts), interval_set({{0, 10}, {20, 30}, {90, 100}}));
  EXPECT_EQ(union_of(whole, parts), interval_set({{-5, 100}}));
  EXPECT_TRUE(intersection_of(interval_set({{0, 10}}), interval_set({{10, 20}})).empty());
}

/// The set of nanoseconds, one by one.
std::vector<bool> members(const interval_set& of, std::int64_t end) {
  std::vector<bool> in(static_cast<std::size_t>(end));
  for (const time_interval& each : of.intervals()) {
    for (std::int64_t at = each.start_ns; at < each.end_ns; ++at)
      in[static_cast<std::size_t>(at)] = true;
  }
  return in;
}

bool is_canonical(const interval_set& of) {
  std::int64_t last_end = -1;
  for (const time_interval& each : of.intervals()) {
    if (each.start_ns <= last_end || each.end_ns <= each.start_ns) return false;
    last_end = each.end_ns;
  }
  return true;
}

TEST(interval_set, agrees_with_sets_of_single_nanoseconds) {
  constexpr std::int64_t end = 60;
  std::mt19937 random(20260806);
  const auto any_set = [&] {
    std::vector<time_interval> intervals(random() % 8);
    for (time_interval& each : intervals) {
      each.start_ns = random() % end;
      each.end_ns = each.start_ns + random() % (end - each.start_ns);
    }
    return interval_set(intervals);
  };
  for (int trial = 0; trial < 500; ++trial) {
    const interval_set a = any_set();
    const interval_set b = any_set();
    const interval_set results[] = {union_of(a, b), intersection_of(a, b), difference_of(a, b)};
    const auto in_a = members(a, end);
    const auto in_b = members(b, end);
    for (std::size_t at = 0; at < in_a.size(); ++at) {
      EXPECT_EQ(members(results[0], end)[at], in_a[at] || in_b[at]);
      EXPECT_EQ(members(results[1], end)[at], in_a[at] && in_b[at]);
      EXPECT_EQ(members(results[2], end)[at], in_a[at] && !in_b[at]);
    }
    for (const interval_set& each : results) EXPECT_TRUE(is_canonical(each));
  }
}

}  // namespace
}  // namespace ithaca::traces
