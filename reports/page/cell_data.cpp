#include "reports/page/cell_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "reports/statistics.hpp"
#include "reports/sweep.hpp"
#include "reports/units.hpp"
#include "reports/verdict.hpp"
#include "reports/verdict_words.hpp"

namespace ithaca::reports {
namespace {

constexpr std::size_t stretches = 100;

/// What a chart can show of them; its tables are made of the metrics.
double rounded_us(double ns) { return std::round(ns) / ns_per_us; }

json quantiles_us(const sample_matrix& samples) {
  json all = json::array();
  for (const double percent : {5, 25, 50, 75, 95}) {
    all.push_back(rounded_us(percentile(samples.all_ns(), percent)));
  }
  return all;
}

json rounds_us(const sample_matrix& samples) {
  std::vector<double> medians;
  for (const std::vector<double>& launch : samples.round_medians_ns()) {
    medians.insert(medians.end(), launch.begin(), launch.end());
  }
  const std::size_t count = std::min(medians.size(), stretches);
  json all = json::array();
  for (std::size_t at = 0; at < count; ++at) {
    const auto from = medians.begin() + static_cast<std::ptrdiff_t>(at * medians.size() / count);
    const auto to =
        medians.begin() + static_cast<std::ptrdiff_t>((at + 1) * medians.size() / count);
    all.push_back(rounded_us(median({from, to})));
  }
  return all;
}

}  // namespace

json cell_data(const cell& of, const std::set<int>& discarded) {
  json data;
  write_fields(of.key, data);
  data["name"] = choice_name(of);
  data["bare"] = is_bare(of.key.arm);
  data["status"] = to_string(of.status);
  if (of.reason) data["reason"] = *of.reason;
  if (of.way) data["way"] = *of.way;
  json metrics = json::object();
  for (const auto& [name, value] : of.metrics) metrics[name] = to_json(value);
  data["metrics"] = metrics;
  if (of.overlap) {
    data["overlap"] = to_json(*of.overlap, choice_name(of));
    data["overlap"].erase("tags");
  }
  if (const auto bytes = bytes_a_peer(of)) data["bytes_a_peer"] = std::round(*bytes);
  if (const sample_matrix samples = of.samples.without(discarded); !samples.empty()) {
    data["samples"] = samples.all_ns().size();
    data["quantiles_us"] = quantiles_us(samples);
    data["rounds_us"] = rounds_us(samples);
  }
  return data;
}

}  // namespace ithaca::reports
