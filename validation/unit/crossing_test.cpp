#include "bench/crossing.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ithaca::bench {
namespace {

std::size_t crossing(const std::vector<compared_times>& by_size) { return crossing_bytes(by_size); }

TEST(crossing, is_zero_where_the_first_never_wins) {
  EXPECT_EQ(crossing({}), 0u);
  EXPECT_EQ(crossing({{1000, 20, 10}}), 0u);
  EXPECT_EQ(crossing({{1000, 20, 10}, {2000, 10, 20}}), 0u) << "nothing counts behind a defeat";
}

TEST(crossing, is_the_largest_size_where_the_first_always_wins) {
  EXPECT_EQ(crossing({{1000, 10, 20}}), 1000u);
  EXPECT_EQ(crossing({{1000, 10, 20}, {2000, 30, 30}}), 2000u) << "a draw is no defeat";
}

TEST(crossing, lies_between_the_last_win_and_the_first_defeat) {
  // As far ahead before as behind after: half way between, by the logarithm.
  EXPECT_NEAR(static_cast<double>(crossing({{1000, 10, 20}, {4000, 40, 20}})), 2000, 1);
  EXPECT_NEAR(static_cast<double>(crossing({{1000, 10, 80}, {16'000, 40, 20}})), 8000, 1);
  EXPECT_EQ(crossing({{1000, 10, 10}, {4000, 40, 20}}), 1000u);
}

}  // namespace
}  // namespace ithaca::bench
