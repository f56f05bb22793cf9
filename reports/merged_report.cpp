#include "reports/merged_report.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/merge/conditions.hpp"
#include "reports/merge/merged_cell.hpp"
#include "reports/merge/merged_telemetry.hpp"
#include "reports/merge/recorded_inputs.hpp"
#include "reports/metrics.hpp"
#include "reports/paired_cells.hpp"
#include "reports/statistics.hpp"
#include "reports/throttling.hpp"

namespace ithaca::reports {
namespace {

using all_launches = std::span<const named_report>;

const cell* find(const std::vector<cell>& in, const cell_key& key) {
  const auto found = std::ranges::find(in, key, &cell::key);
  return found == in.end() ? nullptr : &*found;
}

/// Of all launches, in the order in which they first appear.
std::vector<cell_key> keys_of(all_launches launches) {
  std::vector<cell_key> keys;
  std::set<cell_key> seen;
  for (const named_report& each : launches) {
    for (const cell& one : each.report.cells) {
      if (seen.insert(one.key).second) keys.push_back(one.key);
    }
  }
  return keys;
}

/// The medians of the launches that measured the pair.
links merged_links(all_launches launches) {
  links merged = launches.front().report.links;
  for (pair_ceiling& pair : merged.ceilings) {
    std::vector<double> gbps;
    for (const named_report& each : launches) {
      for (const pair_ceiling& theirs : each.report.links.ceilings) {
        if (theirs.source == pair.source && theirs.target == pair.target) {
          gbps.push_back(theirs.ceiling_gbps);
        }
      }
    }
    pair.ceiling_gbps = median(std::move(gbps));
  }
  std::vector<double> handshakes;
  for (const named_report& each : launches) {
    if (each.report.links.handshake_us) handshakes.push_back(*each.report.links.handshake_us);
  }
  if (!handshakes.empty()) merged.handshake_us = median(std::move(handshakes));
  return merged;
}

/// What each cell's ratio metrics compare it with, in any launch.
using partners = std::map<std::pair<cell_key, std::string>, std::set<cell_key>>;

partners partners_in(all_launches launches) {
  partners all;
  for (const named_report& each : launches) {
    for (const paired_cells& pair : find_paired_cells(each.report)) {
      all[{pair.of->key, pair.metric}].insert(pair.with->key);
    }
  }
  return all;
}

class merging {
 public:
  explicit merging(all_launches launches) : launches_(launches), partners_(partners_in(launches)) {
    merged_ = launches.front().report;
    merged_.run.complete = std::ranges::all_of(
        launches, [](const named_report& each) { return each.report.run.complete; });
    merged_.links = merged_links(launches);
    merged_.telemetry = merged_telemetry(launches);
    merged_.cells.clear();
    for (const cell_key& key : keys_of(launches)) {
      merged_.cells.push_back(merged_cell(key, cells_of(key)));
    }
  }

  report finished() {
    std::map<cell_key, cell_inputs> inputs;
    std::size_t comparisons = 0;
    for (const cell& each : merged_.cells) {
      if (is_due(each)) inputs[each.key] = compared_inputs(each, comparisons);
    }
    for (cell& each : merged_.cells) {
      if (!is_due(each)) continue;
      cell_inputs& of = inputs.at(each.key);
      of.comparisons = std::max<std::size_t>(1, comparisons);
      each.metrics = compute_metrics(without_discarded(of, each.key, merged_.telemetry));
      std::erase_if(each.metrics,
                    [&](const auto& metric) { return !is_known(each, metric.first); });
      each.status = cell_status::measured;
    }
    return std::move(merged_);
  }

 private:
  static bool is_due(const cell& of) { return of.status == cell_status::incomplete && !of.reason; }

  std::vector<launch_cell> cells_of(const cell_key& key) const {
    std::vector<launch_cell> all;
    for (const named_report& each : launches_) {
      all.push_back({each.name, find(each.report.cells, key)});
    }
    return all;
  }

  std::vector<recorded_cell> recorded(const cell& of) const {
    std::vector<recorded_cell> all;
    for (const named_report& each : launches_) {
      all.push_back({find(each.report.cells, of.key), &each.report.telemetry});
    }
    return all;
  }

  /// Whether every launch has the metric, or no report used to.
  bool is_known(const cell& of, const std::string& metric) const {
    if (metric == "detectable_slowdown") return true;
    return std::ranges::all_of(
        recorded(of), [&](const recorded_cell& each) { return each.of->metrics.contains(metric); });
  }

  /// Null where a launch compared with nothing. Of several computations it is the quickest.
  const cell* partner(const cell& of, const std::string& metric) const {
    const auto found = partners_.find({of.key, metric});
    if (found == partners_.end()) return nullptr;
    const cell* quickest = nullptr;
    const auto time = [](const cell& each) {
      return median_over_rounds(each.samples.round_medians_ns(), 0).value;
    };
    for (const cell_key& key : found->second) {
      const cell* with = find(merged_.cells, key);
      if (with->samples.empty()) continue;
      if (!quickest || time(*with) < time(*quickest)) quickest = with;
    }
    return quickest;
  }

  cell_inputs compared_inputs(const cell& of, std::size_t& comparisons) const {
    cell_inputs inputs = recorded_inputs(recorded(of));
    inputs.samples = of.samples;
    inputs.seed = merged_.run.seed;
    if (const auto gbps = slowest_gbps(merged_.links); gbps && is_known(of, "ceiling_share")) {
      inputs.ceiling_bytes_per_second = *gbps * 1e9;
    }
    const auto compare = [&](const std::string& metric, std::optional<sample_matrix>& with) {
      const cell* other = partner(of, metric);
      if (!other) return;
      with = other->samples;
      if (other != &of) ++comparisons;
    };
    compare("speedup", inputs.reference);
    compare("over_compute", inputs.compute_only);
    compare("over_communication", inputs.communication_only);
    return inputs;
  }

  all_launches launches_;
  partners partners_;
  report merged_;
};

}  // namespace

report merged_report(all_launches launches) {
  require_launches_of_one_run(launches);
  return merging(launches).finished();
}

}  // namespace ithaca::reports
