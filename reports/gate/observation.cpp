#include "reports/gate/observation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>

#include "reports/console/nearest_name.hpp"
#include "reports/paired_cells.hpp"
#include "reports/statistics.hpp"
#include "reports/throttling.hpp"

namespace ithaca::reports::gate {
namespace {

observation observed(const cell& of, const std::string& name, const round_values& values) {
  const metric& figure = of.metrics.at(name);
  if (!(figure.value > 0) || (figure.ci95 && !(figure.ci95->low > 0))) {
    throw std::invalid_argument(fmt::format("{}: its {} is not positive, as ratios and times are",
                                            to_string(of.key), name));
  }
  observation made{of.key, name, std::log(figure.value)};
  if (figure.ci95) made.log_error = log_standard_error(*figure.ci95, values);
  for (const std::vector<double>& launch : values) made.rounds += static_cast<int>(launch.size());
  made.launches = static_cast<int>(values.size());
  return made;
}

}  // namespace

const std::vector<gated_metric>& gated_metrics() {
  static const std::vector<gated_metric> all = {{"speedup", better::higher, false},
                                                {"over_compute", better::lower, false},
                                                {"over_communication", better::lower, false},
                                                {"time_us", better::lower, true}};
  return all;
}

const gated_metric& gated_metric_of(const std::string& name) {
  const auto found = std::ranges::find(gated_metrics(), name, &gated_metric::name);
  if (found != gated_metrics().end()) return *found;
  std::vector<std::string> known;
  for (const gated_metric& each : gated_metrics()) known.emplace_back(each.name);
  throw std::invalid_argument(
      fmt::format("'{}' is no metric that is gated{}", name, console::did_you_mean(name, known)));
}

std::vector<observation> observe(const report& in) {
  std::map<const cell*, std::vector<observation>> by_cell;
  for (const paired_cells& pair : find_paired_cells(in)) {
    if (pair.is_comparison())
      by_cell[pair.of].push_back(observed(*pair.of, pair.metric, pair.ratios));
  }
  std::vector<observation> all;
  for (const cell& each : in.cells) {
    std::vector<observation>& ratios = by_cell[&each];
    all.insert(all.end(), ratios.begin(), ratios.end());
    if (each.status != cell_status::measured || !each.metrics.contains("time_us")) continue;
    const auto rounds = discarded(in.telemetry, each.key);
    all.push_back(observed(each, "time_us", each.samples.without(rounds).round_medians_ns()));
  }
  return all;
}

}  // namespace ithaca::reports::gate
