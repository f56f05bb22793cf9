#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/gate/observation.hpp"
#include "reports/paired_cells.hpp"
#include "reports/statistics.hpp"

namespace ithaca::reports::gate {

/// Draws launches from the rounds of a recorded one: with replacement, the same rounds for all arms
/// of a scenario, as they disturb them alike. What it draws differs by noise alone.
class resampling {
 public:
  resampling(report recorded, std::uint64_t seed) : recorded_(std::move(recorded)), engine_(seed) {
    for (paired_cells& each : find_paired_cells(recorded_)) {
      if (each.is_comparison()) pairs_.push_back(std::move(each));
    }
  }

  std::vector<observation> launch() {
    std::map<std::tuple<std::string, std::string, int>, std::vector<std::size_t>> rounds;
    std::vector<observation> seen;
    for (const paired_cells& each : pairs_) {
      const cell_key& key = each.of->key;
      const std::vector<double>& ratios = each.ratios.front();
      auto& drawn = rounds[{key.shape, key.dtype, key.degree}];
      while (drawn.size() < ratios.size()) drawn.push_back(draw_below(ratios.size(), engine_));
      round_values resample(1);
      for (const std::size_t round : drawn) resample.front().push_back(ratios[round]);
      const round_values ones = {std::vector<double>(drawn.size(), 1.0)};
      const estimate ratio = ratio_over_rounds(resample, ones, 1);
      seen.push_back({key, each.metric, std::log(ratio.value),
                      log_standard_error(*ratio.ci95, resample), static_cast<int>(drawn.size()),
                      1});
    }
    return seen;
  }

  std::size_t below(std::size_t bound) { return draw_below(bound, engine_); }

  resampling(const resampling&) = delete;
  resampling& operator=(const resampling&) = delete;

 private:
  report recorded_;  // the pairs point into it
  std::mt19937_64 engine_;
  std::vector<paired_cells> pairs_;
};

/// The same launch with every cell of `arm` slower by the fraction `by`.
inline std::vector<observation> slowed(std::vector<observation> launch, const std::string& arm,
                                       double by) {
  for (observation& each : launch) {
    if (each.key.arm != arm) continue;
    const bool lower = gated_metric_of(each.metric).direction == better::lower;
    each.log_value += (lower ? 1 : -1) * std::log1p(by);
  }
  return launch;
}

}  // namespace ithaca::reports::gate
