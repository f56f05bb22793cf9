#include "reports/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace ithaca::reports {
namespace {

using statistic = double (*)(std::vector<double> values);

estimate bootstrap(std::span<const double> rounds, statistic of, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<double> resample(rounds.size());
  std::vector<double> outcomes;
  outcomes.reserve(bootstrap_resamples);
  for (int count = 0; count < bootstrap_resamples; ++count) {
    for (double& value : resample) value = rounds[draw_below(rounds.size(), engine)];
    outcomes.push_back(of(resample));
  }
  return {of({rounds.begin(), rounds.end()}),
          interval{percentile(outcomes, 2.5), percentile(outcomes, 97.5)}};
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

estimate median_over_rounds(std::span<const double> round_medians, std::uint64_t seed) {
  return bootstrap(round_medians, median, seed);
}

estimate ratio_over_rounds(std::span<const double> reference_medians,
                           std::span<const double> arm_medians, std::uint64_t seed) {
  if (reference_medians.size() != arm_medians.size()) {
    throw std::invalid_argument(
        fmt::format("{} rounds of the reference can't be paired with {} rounds of the arm",
                    reference_medians.size(), arm_medians.size()));
  }
  std::vector<double> ratios;
  for (std::size_t round = 0; round < arm_medians.size(); ++round) {
    ratios.push_back(reference_medians[round] / arm_medians[round]);
  }
  return bootstrap(ratios, geometric_median, seed);
}

}  // namespace ithaca::reports
