#include "bench/telemetry.hpp"

#include <gtest/gtest.h>

#include "backend/host/host_device.hpp"
#include "backend/threads/thread_group.hpp"

namespace ithaca::bench {
namespace {

using column = reports::telemetry_column;
using words = std::vector<std::string>;

scenario small_scenario() {
  scenario made;
  made.what.chosen.name = "small";
  made.degree = 2;
  return made;
}

/// Readings of one rank, one after the other.
telemetry::reader plays(std::vector<traces::gpu_reading> readings) {
  return [readings = std::move(readings), next = std::size_t{0}]() mutable {
    return readings.at(next++);
  };
}

TEST(telemetry, keeps_what_each_rank_read_in_each_round) {
  run_thread_ranks(2, [](thread_group& ranks) {
    const std::int64_t base = 1000 * (ranks.rank() + 1);
    telemetry watched(ranks,
                      plays({{.sm_mhz = 1, .nvlink_sent_bytes = base},
                             {.sm_mhz = base + 1, .nvlink_sent_bytes = base + 64},
                             {.sm_mhz = base + 2, .nvlink_sent_bytes = base + 96}}),
                      "");
    watched.begin_scenario(small_scenario());
    watched.end_round();
    watched.end_round();
    EXPECT_FALSE(watched.so_far().not_readable);
    ASSERT_EQ(watched.so_far().scenarios.size(), 1u);
    const reports::scenario_telemetry& seen = watched.so_far().scenarios[0];
    EXPECT_EQ(seen.shape, "small");
    EXPECT_EQ(seen.dtype, "bf16");
    EXPECT_EQ(seen.sm_mhz, (column{{1001, 2001}, {1002, 2002}}));
    EXPECT_EQ(seen.nvlink_sent_bytes, (column{{64, 64}, {32, 32}})) << "the growth in the round";
    EXPECT_EQ(seen.power_mw, (column{{std::nullopt, std::nullopt}, {std::nullopt, std::nullopt}}));
    EXPECT_FALSE(seen.throttled) << "nobody said whether it throttles";
  });
}

TEST(telemetry, marks_the_rounds_in_which_a_gpu_throttled) {
  run_thread_ranks(2, [](thread_group& ranks) {
    const words none;
    const auto readings =
        ranks.rank() == 0
            ? std::vector<traces::gpu_reading>{{.throttle_reasons = none, .power_limited_ns = 5},
                                               {.throttle_reasons = none, .power_limited_ns = 5},
                                               {.throttle_reasons = none, .power_limited_ns = 9}}
            : std::vector<traces::gpu_reading>{{.throttle_reasons = none},
                                               {.throttle_reasons = words{"hardware slowdown"}},
                                               {.throttle_reasons = none}};
    telemetry watched(ranks, plays(readings), "");
    watched.begin_scenario(small_scenario());
    watched.end_round();
    watched.end_round();
    const auto& throttled = watched.so_far().scenarios[0].throttled;
    ASSERT_TRUE(throttled);
    EXPECT_EQ(*throttled, (std::vector<reports::throttled_round>{{0, 1, {"hardware slowdown"}},
                                                                 {1, 0, {"power cap"}}}));
  });
}

TEST(telemetry, invents_no_growth_of_a_counter_that_was_set_back) {
  run_thread_ranks(2, [](thread_group& ranks) {
    telemetry watched(ranks, plays({{.nvlink_received_bytes = 100}, {.nvlink_received_bytes = 10}}),
                      "");
    watched.begin_scenario(small_scenario());
    watched.end_round();
    EXPECT_EQ(watched.so_far().scenarios[0].nvlink_received_bytes,
              (column{{std::nullopt, std::nullopt}}));
  });
}

TEST(telemetry, goes_on_with_the_ranks_that_can_be_read) {
  run_thread_ranks(2, [](thread_group& ranks) {
    const bool first = ranks.rank() == 0;
    telemetry watched(ranks, first ? plays({{}, {}, {.sm_mhz = 1980}}) : telemetry::reader(),
                      first ? "" : "no NVML");
    watched.settle_clocks_once([] { FAIL() << "there is nothing to watch"; });
    watched.begin_scenario(small_scenario());
    watched.end_round();
    EXPECT_EQ(watched.so_far().not_readable, "rank 1: no NVML");
    EXPECT_FALSE(watched.so_far().warm_up);
    EXPECT_EQ(watched.so_far().scenarios[0].sm_mhz, (column{{1980, std::nullopt}}));
  });
}

TEST(telemetry, watches_clocks_before_the_first_scenario_only) {
  run_thread_ranks(2, [](thread_group& ranks) {
    telemetry watched(
        ranks, [] { return traces::gpu_reading{.sm_mhz = 1980}; }, "");
    int exchanges = 0;
    const settling quick{std::chrono::milliseconds(1), std::chrono::seconds(60)};
    watched.settle_clocks_once([&] { ++exchanges; }, quick);
    ASSERT_TRUE(watched.so_far().warm_up);
    EXPECT_TRUE(watched.so_far().warm_up->settled);
    const int before = exchanges;
    EXPECT_GT(before, 0);
    watched.settle_clocks_once([&] { ++exchanges; }, quick);
    EXPECT_EQ(exchanges, before);
  });
}

TEST(telemetry, says_why_the_host_device_has_none) {
  run_thread_ranks(2, [](thread_group& ranks) {
    telemetry watched(ranks, host_device());
    watched.settle_clocks_once([] { FAIL() << "there is nothing to watch"; });
    watched.begin_scenario(small_scenario());
    watched.end_round();
    EXPECT_EQ(watched.so_far().not_readable, "the host device has no GPU to read");
    EXPECT_TRUE(watched.so_far().scenarios.empty());
  });
}

}  // namespace
}  // namespace ithaca::bench
