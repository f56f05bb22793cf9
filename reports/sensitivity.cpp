#include "reports/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "reports/statistics.hpp"

namespace ithaca::reports {
namespace {

/// z(1 - `probability` / n).
double shared_quantile(double probability, std::size_t comparisons) {
  const double tail = probability / static_cast<double>(comparisons);
  return -normal_quantile(tail);
}

}  // namespace

double alarm_quantile(std::size_t comparisons) {
  return shared_quantile(false_alarms, comparisons);
}

double needed_margin(double declared, double standard_error, std::size_t comparisons) {
  const double quantiles = alarm_quantile(comparisons) + shared_quantile(doubtful, comparisons);
  return std::max(declared, std::expm1(quantiles * standard_error));
}

double smallest_slowdown(double margin, double standard_error, std::size_t comparisons) {
  const double quantiles = alarm_quantile(comparisons) - normal_quantile(missed);
  return (1 + margin) * std::exp(quantiles * standard_error) - 1;
}

double smallest_slowdown(double standard_error_of_launch, std::size_t comparisons) {
  const double standard_error =
      standard_error_of_launch * std::sqrt(1 + 1 / static_cast<double>(fewest_launches));
  const double margin = needed_margin(default_margin, standard_error, comparisons);
  return smallest_slowdown(margin, standard_error, comparisons);
}

}  // namespace ithaca::reports
