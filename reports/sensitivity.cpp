#include "reports/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "reports/statistics.hpp"

namespace ithaca::reports {
namespace {

double shared(double probability, std::size_t comparisons) {
  return probability / static_cast<double>(comparisons);
}

}  // namespace

double student_quantile(double tail, double degrees) {
  const double z = -normal_quantile(tail);
  const double z2 = z * z;
  const double first = z * (z2 + 1) / 4;
  const double second = z * ((5 * z2 + 16) * z2 + 3) / 96;
  const double third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  return z + (first + (second + third / degrees) / degrees) / degrees;
}

double alarm_quantile(std::size_t comparisons, double degrees) {
  return student_quantile(shared(false_alarms, comparisons), degrees);
}

double needed_margin(double declared, double standard_error, std::size_t comparisons,
                     double degrees) {
  const double quantiles = alarm_quantile(comparisons, degrees) +
                           student_quantile(shared(doubtful, comparisons), degrees);
  return std::max(declared, std::expm1(quantiles * standard_error));
}

double smallest_slowdown(double margin, double standard_error, std::size_t comparisons,
                         double degrees) {
  const double quantiles = alarm_quantile(comparisons, degrees) + student_quantile(missed, degrees);
  return (1 + margin) * std::exp(quantiles * standard_error) - 1;
}

double smallest_slowdown_of_run(double standard_error, std::size_t comparisons,
                                double degrees_of_run) {
  const auto launches = static_cast<double>(fewest_launches);
  const double of_change = standard_error * std::sqrt(1 + 1 / launches);
  const double degrees = launches * degrees_of_run;
  const double margin = needed_margin(default_margin, of_change, comparisons, degrees);
  return smallest_slowdown(margin, of_change, comparisons, degrees);
}

}  // namespace ithaca::reports
