#include "reports/sample_matrix.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "reports/statistics.hpp"

namespace ithaca::reports {
namespace {

void check(const sample_matrix::round& samples_ns) {
  if (samples_ns.empty()) throw std::invalid_argument("a round without samples");
  for (const std::int64_t sample : samples_ns) {
    if (sample <= 0) throw std::invalid_argument(fmt::format("a sample of {} ns", sample));
  }
}

}  // namespace

sample_matrix::sample_matrix(std::vector<launch> launches) : launches_(std::move(launches)) {
  for (const launch& each : launches_) {
    if (each.empty()) throw std::invalid_argument("a launch without rounds");
    for (const round& samples_ns : each) check(samples_ns);
  }
}

void sample_matrix::add_round(round samples_ns) {
  check(samples_ns);
  if (launches_.empty()) launches_.emplace_back();
  launches_.back().push_back(std::move(samples_ns));
}

std::size_t sample_matrix::round_count() const {
  std::size_t count = 0;
  for (const launch& each : launches_) count += each.size();
  return count;
}

std::vector<double> sample_matrix::all_ns() const {
  std::vector<double> all;
  for (const launch& each : launches_) {
    for (const round& samples_ns : each)
      all.insert(all.end(), samples_ns.begin(), samples_ns.end());
  }
  return all;
}

std::vector<std::vector<double>> sample_matrix::round_medians_ns() const {
  std::vector<std::vector<double>> medians;
  for (const launch& each : launches_) {
    std::vector<double>& of_launch = medians.emplace_back();
    for (const round& samples_ns : each) {
      of_launch.push_back(median(std::vector<double>(samples_ns.begin(), samples_ns.end())));
    }
  }
  return medians;
}

sample_matrix sample_matrix::without(const std::set<int>& rounds) const {
  sample_matrix kept;
  int number = 0;
  for (const launch& each : launches_) {
    launch of_launch;
    for (const round& samples_ns : each) {
      if (!rounds.contains(number++)) of_launch.push_back(samples_ns);
    }
    if (!of_launch.empty()) kept.launches_.push_back(std::move(of_launch));
  }
  return kept;
}

}  // namespace ithaca::reports
