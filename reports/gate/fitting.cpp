#include "reports/gate/fitting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reports/sensitivity.hpp"

namespace ithaca::reports::gate {
namespace {

constexpr double shared_degrees = 4;

double six_digits(double value) { return std::stod(fmt::format("{:.6g}", value)); }

double mean(const std::vector<double>& of) {
  double sum = 0;
  for (const double each : of) sum += each;
  return sum / static_cast<double>(of.size());
}

/// One cell's metric in every launch.
struct sample_of_launches {
  std::vector<double> log_values;
  std::vector<double> round_variances;  ///< of one round
  std::vector<double> variances;        ///< of the launch's value, by its rounds
  std::vector<int> rounds;

  double between() const {
    const double center = mean(log_values);
    double squares = 0;
    for (const double each : log_values) squares += (each - center) * (each - center);
    return squares / static_cast<double>(log_values.size() - 1);
  }
  /// May be negative: by chance, the launches differ less than their rounds let expect.
  double launch_variance() const { return between() - mean(variances); }
};

using samples = std::map<std::pair<cell_key, std::string>, sample_of_launches>;

samples by_cell(std::span<const std::vector<observation>> launches) {
  samples all;
  for (const std::vector<observation>& launch : launches) {
    for (const observation& each : launch) {
      if (!each.log_error) {
        throw std::invalid_argument(
            fmt::format("\"{}\" has a single round that counts: the noise between rounds is not "
                        "known; measure with more --rounds",
                        to_string(each.key)));
      }
      sample_of_launches& of = all[{each.key, each.metric}];
      const double variance = *each.log_error * *each.log_error;
      of.log_values.push_back(each.log_value);
      of.variances.push_back(variance);
      of.round_variances.push_back(variance * each.rounds);
      of.rounds.push_back(each.rounds);
    }
  }
  for (const auto& [key, each] : all) {
    if (each.log_values.size() == launches.size()) continue;
    throw std::invalid_argument(
        fmt::format("\"{}\" has no {} in every launch", to_string(key.first), key.second));
  }
  return all;
}

/// By metric, over all its cells.
std::map<std::string, double> shared_launch_variances(const samples& of) {
  std::map<std::string, std::vector<double>> all;
  for (const auto& [key, each] : of) all[key.second].push_back(each.launch_variance());
  std::map<std::string, double> shared;
  for (const auto& [metric, variances] : all) shared[metric] = std::max(0.0, mean(variances));
  return shared;
}

expectation expected(const sample_of_launches& of, double shared_launch_variance) {
  const double degrees = static_cast<double>(of.log_values.size() - 1);
  const double launch_variance =
      (shared_degrees * shared_launch_variance + degrees * std::max(0.0, of.launch_variance())) /
      (shared_degrees + degrees);
  expectation made;
  made.value = six_digits(std::exp(mean(of.log_values)));
  for (const double each : of.log_values) made.launches.push_back(six_digits(std::exp(each)));
  made.rounds = std::ranges::min(of.rounds);
  made.round_error = six_digits(std::sqrt(mean(of.round_variances)));
  made.launch_error = six_digits(std::sqrt(launch_variance));
  return made;
}

/// Of the change that one launch more would show.
double change_error(const expectation& of) {
  const double one_launch =
      of.round_error * of.round_error / of.rounds + of.launch_error * of.launch_error;
  return std::sqrt(one_launch * (1 + 1 / static_cast<double>(of.launches.size())));
}

}  // namespace

expectations fit(std::span<const std::vector<observation>> launches, const margins& declared) {
  const samples all = by_cell(launches);
  const auto shared = shared_launch_variances(all);
  expectations made;
  for (const auto& [key, each] : all) made[key] = expected(each, shared.at(key.second));
  const std::size_t ratios = std::max<std::size_t>(1, ratio_count(made));
  for (auto& [key, each] : made) {
    const std::string& metric = key.second;
    const std::size_t comparisons = gated_metric_of(metric).absolute ? made.size() : ratios;
    const double error = change_error(each);
    const double degrees = degrees_of_freedom(each);
    each.margin = six_digits(needed_margin(declared.at(metric), error, comparisons, degrees));
    each.detectable_slowdown =
        six_digits(smallest_slowdown(each.margin, error, comparisons, degrees));
  }
  return made;
}

std::size_t ratio_count(const expectations& all) {
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [](const auto& each) { return !gated_metric_of(each.first.second).absolute; }));
}

}  // namespace ithaca::reports::gate
