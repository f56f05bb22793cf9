#include <gtest/gtest.h>

#include <cmath>

#include "reports/sensitivity.hpp"
#include "reports/statistics.hpp"

namespace ithaca::reports {
namespace {

TEST(sensitivity, is_that_of_compare_pytorch) {
  const auto error = log_standard_error({0.98, 1.03}, {{1.0, 1.02, 0.99, 1.01, 1.0, 0.97}});
  EXPECT_NEAR(error.value(), 0.012694495906959579, 1e-14);
  EXPECT_NEAR(smallest_slowdown_of_run(*error, 60, 5), 0.24241125899766303, 1e-12);
}

TEST(sensitivity, knows_the_tables_of_student) {
  EXPECT_NEAR(student_quantile(0.05, 1e9), 1.6448536, 1e-6);
  EXPECT_NEAR(student_quantile(0.05, 5), 2.015, 0.001);
  EXPECT_NEAR(student_quantile(0.0005, 24), 3.745, 0.001);
}

TEST(sensitivity, shares_the_false_alarms_among_all_comparisons) {
  EXPECT_NEAR(alarm_quantile(1, 1e9), 2.3263478740408408, 1e-6);
  EXPECT_NEAR(alarm_quantile(500, 1e9), 4.107480, 1e-5);
  EXPECT_GT(alarm_quantile(500, 15), 5.7);
}

TEST(sensitivity, needs_no_more_margin_than_is_declared_where_noise_is_small) {
  EXPECT_DOUBLE_EQ(needed_margin(0.025, 0.001, 60, 57), 0.025);
  EXPECT_GT(needed_margin(0.025, 0.01, 60, 57), 0.05);
  EXPECT_NEAR(smallest_slowdown(0.025, 0, 60, 57), 0.025, 1e-12);
}

/// What the margin and the slowdown promise, where the noise is known: by the normal distribution.
TEST(sensitivity, keeps_its_promises) {
  constexpr double error = 0.004;
  constexpr std::size_t comparisons = 60;
  constexpr double known = 1e9;
  const auto above = [&](double log_limit, double log_change) {
    return std::erfc((log_limit - log_change) / error / std::sqrt(2)) / 2;
  };
  const double margin = needed_margin(0.0, error, comparisons, known);
  const double half_width = alarm_quantile(comparisons, known) * error;
  // Beyond the margin as a whole, as a whole within it, and a slowdown that is just large enough.
  EXPECT_LE(comparisons * above(std::log1p(margin) + half_width, 0), 0.01);
  EXPECT_NEAR(comparisons * above(std::log1p(margin) - half_width, 0), 0.05, 1e-6);
  const double slowdown = smallest_slowdown(margin, error, comparisons, known);
  EXPECT_NEAR(above(std::log1p(margin) + half_width, std::log1p(slowdown)), 0.95, 1e-6);
}

}  // namespace
}  // namespace ithaca::reports
