#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <set>
#include <stdexcept>
#include <string>

#include "reports/metrics.hpp"
#include "validation/unit/reports_example.hpp"

namespace ithaca::reports {
namespace {

/// Two ranks, 1 GB of source tensors each, half of it for the peer, in 2 ms.
cell_inputs two_ranks() {
  cell_inputs cell;
  cell.samples = one_launch({{1'900'000, 2'000'000, 2'100'000}, {2'000'000, 2'000'000, 2'000'000}});
  cell.peer_bytes = 500'000'000;
  cell.source_bytes = 1'000'000'000;
  cell.degree = 2;
  cell.memory_bytes = 3 << 20;
  return cell;
}

TEST(metrics, have_names_of_their_own_that_say_the_unit) {
  std::set<std::string_view> names;
  for (const metric_row& row : metric_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    if (row.unit == "us") {
      EXPECT_TRUE(row.name.ends_with("_us")) << row.name;
    }
    if (row.unit == "GB/s") {
      EXPECT_TRUE(row.name.ends_with("_gbps")) << row.name;
    }
  }
}

TEST(metrics, are_those_whose_inputs_are_there) {
  const auto metrics = compute_metrics(two_ranks());
  std::set<std::string> names;
  for (const auto& [name, unused] : metrics) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"time_us", "time_p5_us", "time_p95_us", "goodput_gbps",
                                          "algbw_gbps", "busbw_gbps", "memory_mib",
                                          "detectable_slowdown"}));
}

TEST(metrics, say_the_smallest_slowdown_that_could_have_been_found) {
  cell_inputs cell = two_ranks();
  const double d = 0.005;
  const auto around = [&](double by) { return static_cast<std::int64_t>(1e9 * std::exp(by)); };
  cell.samples = one_launch({{around(d)}, {around(-d)}, {around(d)}, {around(-d)}});
  cell.reference = one_launch({{around(0)}, {around(0)}, {around(0)}, {around(0)}});
  // docs/gate.md, worked out by hand: three launches of four rounds leave nine degrees of freedom,
  // for which the tables have t(0.99) = 2.821 and t(0.95) = 1.833. Four rounds d from their median:
  // of what says something of the noise, they say most.
  const double of_launch = std::sqrt(std::numbers::pi / 2 * (4 * d * d / 3) / 4);
  const double error = of_launch * std::sqrt(4.0 / 3);
  const double margin = std::max(0.025, std::exp((2.821 + 1.833) * error) - 1);
  const double slowdown = (1 + margin) * std::exp((2.821 + 1.833) * error) - 1;
  EXPECT_NEAR(compute_metrics(cell).at("detectable_slowdown").value, slowdown, 1e-5);
  // What must share the false alarms with others finds less.
  cell.comparisons = 500;
  EXPECT_GT(compute_metrics(cell).at("detectable_slowdown").value, slowdown * 1.1);
  // Without a reference other than itself it is said of its time.
  const double by_reference = compute_metrics(cell).at("detectable_slowdown").value;
  cell.reference = cell.samples;
  EXPECT_NEAR(compute_metrics(cell).at("detectable_slowdown").value, by_reference, 0.05);
  // Noise that can't be known is not made up.
  cell.reference.reset();
  cell.samples = one_launch({{1'000'000}});
  EXPECT_FALSE(compute_metrics(cell).contains("detectable_slowdown"));
}

TEST(metrics, count_bytes_and_time_of_one_exchange) {
  cell_inputs cell = two_ranks();
  cell.ceiling_bytes_per_second = 400e9;
  cell.submit_ns = {12'000, 10'000, 11'000};
  cell.checker_ns = 250'000;
  cell.padding_bytes = 3 << 19;
  cell.prepare_ns = 4'500'000;
  cell.first_exchange_ns = 3'250'000;
  const auto metrics = compute_metrics(cell);
  EXPECT_DOUBLE_EQ(metrics.at("time_us").value, 2000);
  EXPECT_EQ(metrics.at("time_us").unit, "us");
  EXPECT_DOUBLE_EQ(metrics.at("time_p5_us").value, 1925);
  EXPECT_DOUBLE_EQ(metrics.at("time_p95_us").value, 2075);
  EXPECT_DOUBLE_EQ(metrics.at("goodput_gbps").value, 250);
  EXPECT_EQ(metrics.at("goodput_gbps").unit, "GB/s");
  EXPECT_DOUBLE_EQ(metrics.at("ceiling_share").value, 0.625);
  EXPECT_DOUBLE_EQ(metrics.at("submit_us").value, 11);
  EXPECT_DOUBLE_EQ(metrics.at("memory_mib").value, 3);
  EXPECT_DOUBLE_EQ(metrics.at("padding_mib").value, 1.5);
  EXPECT_DOUBLE_EQ(metrics.at("prepare_ms").value, 4.5);
  EXPECT_EQ(metrics.at("prepare_ms").unit, "ms");
  EXPECT_DOUBLE_EQ(metrics.at("first_exchange_us").value, 3250);
  EXPECT_DOUBLE_EQ(metrics.at("checker_us").value, 250);
}

TEST(metrics, follow_nccl_tests_for_algbw_and_busbw) {
  cell_inputs cell = two_ranks();
  cell.degree = 4;
  const auto metrics = compute_metrics(cell);
  EXPECT_DOUBLE_EQ(metrics.at("algbw_gbps").value, 500);
  EXPECT_DOUBLE_EQ(metrics.at("busbw_gbps").value, 375);
}

TEST(metrics, divide_a_pipelined_sample_by_its_exchanges) {
  cell_inputs cell = two_ranks();
  cell.exchanges_per_sample = 4;
  const auto metrics = compute_metrics(cell);
  EXPECT_DOUBLE_EQ(metrics.at("time_us").value, 500);
  EXPECT_DOUBLE_EQ(metrics.at("time_p95_us").value, 2075.0 / 4);
  EXPECT_DOUBLE_EQ(metrics.at("goodput_gbps").value, 1000);
}

TEST(metrics, carry_the_interval_of_the_time_into_rates) {
  cell_inputs cell = two_ranks();
  cell.samples = one_launch({{1'000'000}, {2'000'000}, {4'000'000}, {2'000'000}, {2'000'000}});
  const auto metrics = compute_metrics(cell);
  const interval time = *metrics.at("time_us").ci95;
  const interval rate = *metrics.at("goodput_gbps").ci95;
  EXPECT_LT(time.low, time.high);
  EXPECT_DOUBLE_EQ(rate.low, 500'000.0 / time.high);
  EXPECT_DOUBLE_EQ(rate.high, 500'000.0 / time.low);
}

TEST(metrics, compare_with_the_reference_of_the_same_rounds) {
  cell_inputs cell = two_ranks();
  cell.reference = one_launch({{3'000'000}, {3'000'000}});
  const auto metrics = compute_metrics(cell);
  EXPECT_DOUBLE_EQ(metrics.at("speedup").value, 1.5);
  EXPECT_TRUE(metrics.at("speedup").ci95);
  cell.reference = one_launch({{3'000'000}});
  EXPECT_THROW(compute_metrics(cell), std::invalid_argument);
}

TEST(metrics, compare_a_stage_with_its_computation_of_the_same_rounds) {
  cell_inputs cell = two_ranks();
  cell.reference = one_launch({{3'000'000}, {3'000'000}});
  cell.compute_only = one_launch({{1'600'000}, {1'600'000}});
  const auto metrics = compute_metrics(cell);
  EXPECT_DOUBLE_EQ(metrics.at("over_compute").value, 1.25);
  EXPECT_EQ(metrics.at("over_compute").unit, "ratio");
  EXPECT_TRUE(metrics.at("over_compute").ci95);
  EXPECT_DOUBLE_EQ(metrics.at("speedup").value, 1.5);
  cell.compute_only = cell.samples;
  EXPECT_DOUBLE_EQ(compute_metrics(cell).at("over_compute").value, 1);
  cell.compute_only = one_launch({{1'600'000}});
  EXPECT_THROW(compute_metrics(cell), std::invalid_argument);
}

TEST(metrics, have_no_rate_of_bytes_where_samples_hold_computation) {
  cell_inputs cell = two_ranks();
  cell.ceiling_bytes_per_second = 400e9;
  cell.contains_computation = true;
  const auto metrics = compute_metrics(cell);
  for (const char* rate : {"goodput_gbps", "ceiling_share", "algbw_gbps", "busbw_gbps"}) {
    EXPECT_FALSE(metrics.contains(rate)) << rate;
  }
  EXPECT_DOUBLE_EQ(metrics.at("time_us").value, 2000);
  EXPECT_TRUE(metrics.contains("memory_mib"));
}

TEST(metrics, refuse_a_cell_that_has_none) {
  cell_inputs cell = two_ranks();
  cell.samples = {};
  EXPECT_THROW(compute_metrics(cell), std::invalid_argument);
  cell = two_ranks();
  cell.degree = 1;
  EXPECT_THROW(compute_metrics(cell), std::invalid_argument);
  cell = two_ranks();
  cell.exchanges_per_sample = 0;
  EXPECT_THROW(compute_metrics(cell), std::invalid_argument);
}

}  // namespace
}  // namespace ithaca::reports
