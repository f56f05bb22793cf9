#include "bench/clock_settling.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "backend/threads/thread_group.hpp"

namespace ithaca::bench {
namespace {

using namespace std::chrono_literals;

constexpr settling quick{1ms, 40ms};

TEST(is_steady, takes_three_readings_within_a_hundredth) {
  EXPECT_FALSE(is_steady({}));
  EXPECT_FALSE(is_steady(std::array<std::int64_t, 2>{1980, 1980}));
  EXPECT_TRUE(is_steady(std::array<std::int64_t, 3>{1980, 1965, 1980}));
  EXPECT_FALSE(is_steady(std::array<std::int64_t, 3>{1980, 1950, 1980}));
  EXPECT_TRUE(is_steady(std::array<std::int64_t, 5>{345, 1200, 1980, 1980, 1980}));
  EXPECT_FALSE(is_steady(std::array<std::int64_t, 4>{1980, 1980, 1980, 345}));
}

TEST(settle_clocks, goes_on_until_the_slowest_rank_is_steady) {
  std::array<std::atomic<int>, 2> exchanges = {};
  run_thread_ranks(2, [&](thread_group& ranks) {
    std::int64_t mhz = 1000;
    int climbs = ranks.rank() == 1 ? 5 : 0;
    const auto outcome = settle_clocks(
        ranks, [&] { return climbs-- > 0 ? mhz += 100 : mhz; },
        [&] {
          ++exchanges[static_cast<std::size_t>(ranks.rank())];
          ranks.barrier();
        },
        {1ms, 60s});
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->settled);
  });
  EXPECT_EQ(exchanges[0], exchanges[1]) << "ranks went their own ways";
  EXPECT_GE(exchanges[0], 6) << "between seven readings";
}

TEST(settle_clocks, gives_up_when_the_time_is_up) {
  run_thread_ranks(2, [](thread_group& ranks) {
    std::int64_t mhz = 1000;
    const auto outcome = settle_clocks(
        ranks, [&] { return ranks.rank() == 0 ? mhz += 100 : mhz; }, [&] { ranks.barrier(); },
        quick);
    ASSERT_TRUE(outcome);
    EXPECT_FALSE(outcome->settled);
    EXPECT_GE(outcome->after_ms, 40);
  });
}

TEST(settle_clocks, has_no_result_if_one_rank_can_not_read_its_clock) {
  run_thread_ranks(2, [](thread_group& ranks) {
    const auto outcome = settle_clocks(
        ranks, [&] { return ranks.rank() == 0 ? std::optional<std::int64_t>(1980) : std::nullopt; },
        [] {}, quick);
    EXPECT_FALSE(outcome);
  });
}

}  // namespace
}  // namespace ithaca::bench
