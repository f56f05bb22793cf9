#include "reports/gate/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "reports/sensitivity.hpp"

namespace ithaca::reports::gate {
namespace {

double square(double of) { return of * of; }

double expectation_variance(const expectation& of) {
  const auto launches = static_cast<double>(of.launches.size());
  return (square(of.round_error) / of.rounds + square(of.launch_error)) / launches;
}

/// Of one round of a single launch.
double round_variance(const observation& seen, const expectation& expected,
                      std::size_t comparisons) {
  const double expected_variance = square(expected.round_error);
  if (!seen.log_error) return expected_variance;
  const double own = square(*seen.log_error) * seen.rounds;
  const double own_degrees = seen.rounds - 1;
  const double degrees = degrees_of_freedom(expected);
  // The logarithm of a variance of d degrees of freedom has about the variance 2 / d.
  const double chance = std::sqrt(2 / own_degrees + 2 / degrees);
  const double limit = std::exp(alarm_quantile(comparisons, degrees) * chance);
  if (own > limit * expected_variance) return own;
  return (own_degrees * own + degrees * expected_variance) / (own_degrees + degrees);
}

outcome outcome_of(const interval& slowdown, double margin) {
  if (slowdown.low > margin) return outcome::worse;
  if (slowdown.high < 1 / (1 + margin) - 1) return outcome::improved;
  return slowdown.high <= margin ? outcome::unchanged : outcome::ambiguous;
}

}  // namespace

std::string_view to_string(outcome of) {
  switch (of) {
    case outcome::unchanged:
      return "unchanged";
    case outcome::improved:
      return "improved";
    case outcome::worse:
      return "worse";
    case outcome::ambiguous:
      return "ambiguous";
    case outcome::too_noisy:
      break;
  }
  return "too noisy";
}

double observed_error(const observation& seen, const expectation& expected,
                      std::size_t comparisons) {
  const double of_launches = square(expected.launch_error) / seen.launches;
  if (seen.launches == 1) {
    return std::sqrt(round_variance(seen, expected, comparisons) / seen.rounds + of_launches);
  }
  const double of_rounds = square(expected.round_error) / seen.rounds;
  return std::sqrt(std::max(square(seen.log_error.value_or(0)), of_rounds + of_launches));
}

comparison compare(const observation& seen, const expectation& expected, std::size_t comparisons) {
  comparison made{seen, expected, 0, {}, outcome::unchanged};
  const double higher_by = seen.log_value - std::log(expected.value);
  const bool lower = gated_metric_of(seen.metric).direction == better::lower;
  const double change = lower ? higher_by : -higher_by;
  const double error = std::sqrt(square(observed_error(seen, expected, comparisons)) +
                                 expectation_variance(expected));
  const double reach = alarm_quantile(comparisons, degrees_of_freedom(expected)) * error;
  made.slowdown = std::expm1(change);
  made.slowdown_ci = {std::expm1(change - reach), std::expm1(change + reach)};
  made.came_to = outcome_of(made.slowdown_ci, std::min(expected.margin, largest_margin));
  const bool undecided = made.came_to == outcome::ambiguous || made.came_to == outcome::unchanged;
  if (is_too_noisy(expected) && undecided) made.came_to = outcome::too_noisy;
  return made;
}

}  // namespace ithaca::reports::gate
