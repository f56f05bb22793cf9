#include "reports/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ithaca::reports {
namespace {

using statistic = double (*)(std::vector<double> values);

/// What a launch's rounds come to, and what the launches' values come to.
struct statistics_of {
  statistic rounds;
  statistic launches;
};

double arithmetic_mean(std::vector<double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double geometric_mean(std::vector<double> values) {
  for (double& each : values) each = std::log(each);
  return std::exp(arithmetic_mean(std::move(values)));
}

constexpr statistics_of of_times = {median, arithmetic_mean};
constexpr statistics_of of_ratios = {geometric_median, geometric_mean};

/// Of a single launch it is exactly its rounds' value.
double over_launches(std::vector<double> each, const statistics_of& of) {
  return each.size() == 1 ? each.front() : of.launches(std::move(each));
}

double value_of(const round_values& launches, const statistics_of& of) {
  if (launches.empty()) throw std::invalid_argument("an estimate of no rounds");
  std::vector<double> each(launches.size());
  std::ranges::transform(launches, each.begin(), of.rounds);
  return over_launches(std::move(each), of);
}

estimate bootstrap(const round_values& launches, const statistics_of& of, std::uint64_t seed) {
  if (launches.empty()) throw std::invalid_argument("an estimate of no rounds");
  std::mt19937_64 engine(seed);
  std::vector<double> outcomes, each(launches.size());
  outcomes.reserve(bootstrap_resamples);
  for (int count = 0; count < bootstrap_resamples; ++count) {
    for (double& launch : each) {
      const std::size_t drawn = launches.size() == 1 ? 0 : draw_below(launches.size(), engine);
      const std::vector<double>& rounds = launches[drawn];
      std::vector<double> resample(rounds.size());
      for (double& value : resample) value = rounds[draw_below(rounds.size(), engine)];
      launch = of.rounds(std::move(resample));
    }
    outcomes.push_back(over_launches(each, of));
  }
  std::ranges::transform(launches, each.begin(), of.rounds);
  return {over_launches(each, of), interval{percentile(outcomes, 2.5), percentile(outcomes, 97.5)}};
}

/// Sum of squared distances from their mean.
double squares(const std::vector<double>& values) {
  const double mean = arithmetic_mean(values);
  double sum = 0;
  for (const double each : values) sum += (each - mean) * (each - mean);
  return sum;
}

round_values logarithms(round_values of) {
  for (std::vector<double>& launch : of) {
    for (double& each : launch) each = std::log(each);
  }
  return of;
}

}  // namespace

double percentile(std::vector<double> values, double percent) {
  if (values.empty()) throw std::invalid_argument("a percentile of no values");
  if (!(percent >= 0 && percent <= 100)) {
    throw std::invalid_argument(fmt::format("percentile {} is not in [0, 100]", percent));
  }
  std::ranges::sort(values);
  const double position = static_cast<double>(values.size() - 1) * percent / 100;
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], position - std::floor(position));
}

double median(std::vector<double> values) { return percentile(std::move(values), 50); }

double geometric_median(std::vector<double> values) {
  if (values.empty()) throw std::invalid_argument("a median of no values");
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : std::sqrt(values[half - 1] * values[half]);
}

std::uint64_t draw_below(std::uint64_t bound, std::mt19937_64& engine) {
  const std::uint64_t incomplete = (0 - bound) % bound;  // 2^64 mod bound
  std::uint64_t output = engine();
  while (output < incomplete) output = engine();
  return output % bound;
}

estimate median_over_rounds(const round_values& round_medians, std::uint64_t seed) {
  return bootstrap(round_medians, of_times, seed);
}

round_values ratios_of_rounds(const round_values& reference_medians,
                              const round_values& arm_medians) {
  const auto refuse_pairing = [](std::size_t theirs, std::size_t ours, const char* what) {
    throw std::invalid_argument(fmt::format(
        "{} {} of the reference can't be paired with {} {} of the arm", theirs, what, ours, what));
  };
  if (reference_medians.size() != arm_medians.size()) {
    refuse_pairing(reference_medians.size(), arm_medians.size(), "launches");
  }
  round_values paired = reference_medians;
  for (std::size_t launch = 0; launch < paired.size(); ++launch) {
    const std::vector<double>& arm = arm_medians[launch];
    if (paired[launch].size() != arm.size()) {
      refuse_pairing(paired[launch].size(), arm.size(), "rounds");
    }
    for (std::size_t round = 0; round < arm.size(); ++round) paired[launch][round] /= arm[round];
  }
  return paired;
}

estimate ratio_over_rounds(const round_values& reference_medians, const round_values& arm_medians,
                           std::uint64_t seed) {
  return bootstrap(ratios_of_rounds(reference_medians, arm_medians), of_ratios, seed);
}

double median_ratio(const round_values& of) { return value_of(of, of_ratios); }

std::optional<double> log_standard_error(const interval& ci95, const round_values& values) {
  const double launches = static_cast<double>(values.size());
  double rounds = 0, within = 0;
  std::vector<double> medians;
  for (const std::vector<double>& launch : logarithms(values)) {
    rounds += static_cast<double>(launch.size());
    within += squares(launch);
    medians.push_back(median(launch));
  }
  if (values.empty() || rounds < 2 * launches) return std::nullopt;
  const double of_interval = std::log(ci95.high / ci95.low) / (2 * normal_quantile(0.975));
  const double of_rounds = std::sqrt(std::numbers::pi / 2 * within / (rounds - launches) / rounds);
  const double of_launches =
      launches < 2 ? 0 : std::sqrt(squares(medians) / (launches - 1) / launches);
  return std::max({of_interval, of_rounds, of_launches});
}

double normal_quantile(double p) {
  if (!(p > 0 && p < 1)) {
    throw std::invalid_argument(fmt::format("no normal quantile of probability {}", p));
  }
  // Halving an interval costs nothing here, and needs no table of coefficients.
  double low = -40, high = 40;
  while (std::nextafter(low, high) < high) {
    const double middle = low + (high - low) / 2;
    (std::erfc(-middle / std::numbers::sqrt2) / 2 < p ? low : high) = middle;
  }
  return high;
}

}  // namespace ithaca::reports
