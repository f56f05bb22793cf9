#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reports/sample_matrix.hpp"
#include "reports/statistics.hpp"

namespace ithaca::reports {
namespace {

round_values launch_of(std::vector<double> rounds) { return {std::move(rounds)}; }

TEST(percentile, interpolates_between_the_closest_ranks) {
  const std::vector<double> values = {40, 10, 30, 20};
  EXPECT_DOUBLE_EQ(percentile(values, 0), 10);
  EXPECT_DOUBLE_EQ(percentile(values, 100), 40);
  EXPECT_DOUBLE_EQ(percentile(values, 50), 25);
  EXPECT_DOUBLE_EQ(percentile(values, 5), 11.5);
  EXPECT_DOUBLE_EQ(percentile({7}, 95), 7);
}

TEST(percentile, refuses_no_values_and_foreign_percentages) {
  EXPECT_THROW(percentile({}, 50), std::invalid_argument);
  EXPECT_THROW(percentile({1}, 101), std::invalid_argument);
  EXPECT_THROW(percentile({1}, -1), std::invalid_argument);
  EXPECT_THROW(percentile({1}, std::nan("")), std::invalid_argument);
}

TEST(median, takes_the_middle) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(geometric_median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(geometric_median({2, 8}), 4);
}

TEST(draw_below, follows_the_documented_method) {
  // The 10,000th output of a default-seeded engine is fixed by the C++ standard ([rand.predef]).
  std::mt19937_64 engine;
  engine.discard(9999);
  EXPECT_EQ(draw_below(1'000'000, engine), 9981545732273789042ull % 1'000'000);
}

TEST(draw_below, throws_away_the_incomplete_part) {
  // With this bound every output below 2^62 is thrown away: about a quarter of them.
  const std::uint64_t bound = (std::uint64_t{1} << 63) - (std::uint64_t{1} << 61);
  const std::uint64_t incomplete = (0 - bound) % bound;
  std::mt19937_64 engine(3);
  std::mt19937_64 plain(3);
  int thrown_away = 0;
  for (int count = 0; count < 100; ++count) {
    std::uint64_t output = plain();
    for (; output < incomplete; output = plain()) ++thrown_away;
    EXPECT_EQ(draw_below(bound, engine), output % bound);
  }
  EXPECT_GT(thrown_away, 0);
}

TEST(draw_below, reaches_every_index_about_equally_often) {
  std::mt19937_64 engine(1);
  std::array<int, 5> hits{};
  for (int count = 0; count < 5000; ++count) ++hits[draw_below(hits.size(), engine)];
  for (const int each : hits) EXPECT_NEAR(each, 1000, 150);
}

TEST(median_over_rounds, gives_the_same_interval_for_the_same_seed) {
  const round_values rounds = {{10, 12, 11, 14, 9, 10, 13, 11, 10, 12}};
  const estimate once = median_over_rounds(rounds, 7);
  EXPECT_EQ(once.value, 11);
  EXPECT_EQ(once.ci95, median_over_rounds(rounds, 7).ci95);
  // Written down from one platform: another must give the same.
  EXPECT_EQ(once.ci95, (interval{10, 12.5}));
}

TEST(median_over_rounds, is_exact_for_equal_rounds_and_needs_one) {
  const round_values rounds = {std::vector<double>(5, 8.0)};
  EXPECT_EQ(median_over_rounds(rounds, 1).ci95, (interval{8, 8}));
  EXPECT_THROW(median_over_rounds({}, 1), std::invalid_argument);
}

TEST(median_over_rounds, covers_the_true_median_about_as_often_as_it_says) {
  std::mt19937_64 engine(11);
  int covered = 0;
  constexpr int runs = 60;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> rounds(20);
    for (double& each : rounds) each = 100 + static_cast<double>(draw_below(20'001, engine)) / 1000;
    const interval ci95 = *median_over_rounds(launch_of(rounds), 1).ci95;
    if (ci95.low <= 110 && 110 <= ci95.high) ++covered;
  }
  EXPECT_GE(covered, runs * 85 / 100);
  EXPECT_LT(covered, runs);
}

TEST(ratio_over_rounds, pairs_rounds_so_that_a_shared_disturbance_cancels) {
  std::vector<double> arm = {100, 300, 120, 500, 90, 100, 250};
  std::vector<double> reference;
  for (const double each : arm) reference.push_back(each * 1.5);
  const estimate ratio = ratio_over_rounds(launch_of(reference), launch_of(arm), 3);
  EXPECT_DOUBLE_EQ(ratio.value, 1.5);
  EXPECT_NEAR(ratio.ci95->low, 1.5, 1e-12);
  EXPECT_NEAR(ratio.ci95->high, 1.5, 1e-12);
  // The same rounds in another order are another pairing.
  std::ranges::reverse(reference);
  EXPECT_GT(ratio_over_rounds(launch_of(reference), launch_of(arm), 3).ci95->high, 2);
}

TEST(ratio_over_rounds, is_the_reciprocal_when_the_arms_are_swapped) {
  const round_values a = {{10, 11, 13, 9, 10, 12}};
  const round_values b = {{20, 21, 30, 17, 22, 20}};
  EXPECT_DOUBLE_EQ(ratio_over_rounds(a, b, 1).value * ratio_over_rounds(b, a, 1).value, 1);
}

TEST(ratio_over_rounds, is_not_moved_by_one_interrupted_round) {
  std::vector<double> arm(9, 100.0);
  const std::vector<double> reference(9, 100.0);
  arm[4] = 1e6;
  EXPECT_DOUBLE_EQ(ratio_over_rounds(launch_of(reference), launch_of(arm), 1).value, 1);
}

TEST(ratio_over_rounds, refuses_unequal_rounds) {
  EXPECT_THROW(ratio_over_rounds({{1.0}}, {{1.0, 2.0}}, 1), std::invalid_argument);
  EXPECT_THROW(ratio_over_rounds({{1.0, 2.0}}, {{1.0}, {2.0}}, 1), std::invalid_argument);
  EXPECT_THROW(ratio_over_rounds({}, {}, 1), std::invalid_argument);
}

TEST(median_over_rounds, takes_the_launch_as_a_factor_of_its_own) {
  // Within a launch nothing varies: all that the interval can know is how launches differ.
  const round_values launches = {{100, 100, 100}, {104, 104, 104}, {102, 102, 102}};
  const estimate between = median_over_rounds(launches, 1);
  EXPECT_DOUBLE_EQ(between.value, 102);
  EXPECT_LT(between.ci95->low, 101);
  EXPECT_GT(between.ci95->high, 103);
  // The same rounds as one launch: the interval is that of nine independent rounds.
  const estimate pooled = median_over_rounds({{100, 100, 100, 104, 104, 104, 102, 102, 102}}, 1);
  EXPECT_DOUBLE_EQ(pooled.value, 102);
  EXPECT_EQ(median_over_rounds(launches, 1).ci95, between.ci95);
}

TEST(ratio_over_rounds, is_of_several_launches_the_geometric_mean_of_theirs) {
  const round_values reference = {{200, 200}, {800, 800}};
  const round_values arm = {{100, 100}, {100, 100}};
  EXPECT_DOUBLE_EQ(ratio_over_rounds(reference, arm, 1).value, 4);
  EXPECT_DOUBLE_EQ(ratio_over_rounds(reference, arm, 1).ci95->low, 2);
  EXPECT_DOUBLE_EQ(ratio_over_rounds(reference, arm, 1).ci95->high, 8);
}

TEST(log_standard_error, is_the_largest_that_anything_says) {
  // Of the interval, where rounds say less.
  const double of_interval = std::log(1.1 / 0.9) / (2 * 1.959963984540054);
  EXPECT_NEAR(*log_standard_error({0.9, 1.1}, {{1, 1, 1, 1}}), of_interval, 1e-12);
  // Of the rounds, where the interval says nothing: logarithms -d, d, -d, d.
  const double d = 0.02;
  const round_values rounds = {{std::exp(-d), std::exp(d), std::exp(-d), std::exp(d)}};
  const double of_rounds = std::sqrt(3.14159265358979 / 2 * (4 * d * d / 3) / 4);
  EXPECT_NEAR(*log_standard_error({1, 1}, rounds), of_rounds, 1e-12);
  // Of the launches, where each is steady: logarithms 0 and 2d, twice.
  const round_values launches = {{1, 1}, {std::exp(2 * d), std::exp(2 * d)}};
  EXPECT_NEAR(*log_standard_error({1, 1}, launches), std::sqrt(2 * d * d / 2), 1e-12);
  EXPECT_FALSE(log_standard_error({1, 1}, {{1}}));
  EXPECT_FALSE(log_standard_error({1, 1}, {{1}, {2}}));
}

TEST(normal_quantile, is_that_of_the_tables) {
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(0.05), -1.6448536269514722, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-5), -4.264890793922825, 1e-13);
  EXPECT_THROW(normal_quantile(0), std::invalid_argument);
  EXPECT_THROW(normal_quantile(1), std::invalid_argument);
}

TEST(sample_matrix, keeps_launches_rounds_and_iterations) {
  sample_matrix samples;
  EXPECT_TRUE(samples.empty());
  samples.add_round({3, 1, 2});
  samples.add_round({10, 20});
  const std::vector<sample_matrix::launch> launches = {{{3, 1, 2}, {10, 20}}};
  EXPECT_EQ(samples.launches(), launches);
  EXPECT_EQ(samples, sample_matrix(launches));
  EXPECT_EQ(samples.round_count(), 2u);
  EXPECT_EQ(samples.round_medians_ns(), (round_values{{2, 15}}));
  EXPECT_EQ(samples.all_ns(), (std::vector<double>{3, 1, 2, 10, 20}));
}

TEST(sample_matrix, leaves_out_rounds_by_their_number_over_all_launches) {
  const sample_matrix samples({{{1}, {2}}, {{3}}, {{4}, {5}}});
  EXPECT_EQ(samples.without({}), samples);
  EXPECT_EQ(samples.without({1, 2, 3}), sample_matrix({{{1}}, {{5}}}));
}

TEST(sample_matrix, refuses_empty_rounds_and_impossible_times) {
  sample_matrix samples;
  EXPECT_THROW(samples.add_round({}), std::invalid_argument);
  EXPECT_THROW(samples.add_round({5, 0}), std::invalid_argument);
  const sample_matrix::launch impossible = {{5, -1}};
  EXPECT_THROW(sample_matrix(std::vector(1, impossible)), std::invalid_argument);
  EXPECT_THROW(sample_matrix(std::vector<sample_matrix::launch>(1)), std::invalid_argument);
  EXPECT_TRUE(samples.empty());
}

}  // namespace
}  // namespace ithaca::reports
