#include "reports/gate/derivation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "reports/gate/noise_floor.hpp"
#include "reports/merge/conditions.hpp"
#include "reports/sensitivity.hpp"

namespace ithaca::reports::gate {
namespace {

using all_launches = std::span<const named_launch>;

[[noreturn]] void refuse_launch(const named_launch& of, const std::string& why) {
  throw std::invalid_argument(fmt::format("{} makes no baseline: {}", of.of.name, why));
}

void require_launches(all_launches launches) {
  if (launches.size() < fewest_launches) {
    throw std::invalid_argument(fmt::format(
        "{} launches make no baseline: give the reports of at least {}, each with its own --seed",
        launches.size(), fewest_launches));
  }
  std::vector<named_report> reports;
  for (const named_launch& each : launches) reports.push_back(each.of);
  require_launches_of_one_run(reports);
  for (const named_launch& each : launches) {
    if (!each.of.report.run.complete) refuse_launch(each, "its run is not complete");
  }
}

/// The same cell of another launch, which must be like it.
const cell& same_cell(const named_launch& in, const cell& of, const named_launch& first) {
  const auto found = std::ranges::find(in.of.report.cells, of.key, &cell::key);
  const auto say = [&](const std::string& what) {
    refuse_launch(in, fmt::format("\"{}\" {}", to_string(of.key), what));
  };
  if (found == in.of.report.cells.end()) say("is missing, and is in " + first.of.name);
  if (found->status != of.status) {
    say(fmt::format("is {}, and {} in {}", to_string(found->status), to_string(of.status),
                    first.of.name));
  }
  for (const auto& [name, count] : counts_of(found->counts)) {
    const exact_counts theirs = counts_of(of.counts);
    const auto expected = theirs.find(name);
    const std::uint64_t in_first = expected == theirs.end() ? 0 : expected->second;
    if (count != in_first) {
      say(fmt::format("has {} {}, and {} in {}: it is no exact count{}", name, count, in_first,
                      first.of.name,
                      of.way ? "; its arm chooses its way by measuring, leave it out" : ""));
    }
  }
  if (found->counts != of.counts) say("counts other operations than in " + first.of.name);
  return *found;
}

void require_same_cells(all_launches launches) {
  const named_launch& first = launches.front();
  for (const cell& each : first.of.report.cells) {
    if (each.status == cell_status::refuted || each.status == cell_status::incomplete) {
      refuse_launch(first, fmt::format("\"{}\" is {}: {}", to_string(each.key),
                                       to_string(each.status), *each.reason));
    }
    for (const named_launch& other : launches.subspan(1)) same_cell(other, each, first);
  }
  for (const named_launch& other : launches.subspan(1)) {
    for (const cell& each : other.of.report.cells) {
      const auto& cells = first.of.report.cells;
      if (std::ranges::find(cells, each.key, &cell::key) == cells.end()) {
        refuse_launch(first, fmt::format("\"{}\" is missing, and is in {}", to_string(each.key),
                                         other.of.name));
      }
    }
  }
}

std::vector<std::vector<observation>> observe_all(all_launches launches) {
  std::vector<std::vector<observation>> all;
  for (const named_launch& each : launches) {
    try {
      all.push_back(observe(each.of.report));
    } catch (const std::invalid_argument& error) {
      refuse_launch(each, error.what());
    }
  }
  return all;
}

void require_quiet(all_launches launches, const std::vector<std::vector<observation>>& seen,
                   const expectations& expected, const std::string& arm) {
  const std::size_t comparisons = ratio_count(expected);
  bool any = false;
  for (std::size_t at = 0; at < launches.size(); ++at) {
    for (const observation& each : seen[at]) {
      if (each.key.arm != arm || each.metric != "speedup") continue;
      any = true;
      // Launches that differ widen what is expected: the band alone would let an outlier pass.
      if (std::abs(each.log_value) > std::log1p(largest_margin)) {
        refuse_launch(launches[at],
                      fmt::format("\"{}\" is the reference again, and {:.3f} times as fast",
                                  to_string(each.key), std::exp(each.log_value)));
      }
      const noise_floor floor =
          noise_floor_of(each, expected.at({each.key, each.metric}), comparisons);
      if (floor.is_within_its_band()) continue;
      refuse_launch(launches[at],
                    fmt::format("\"{}\" is the reference again, and {:.3f} to {:.3f} times as fast",
                                to_string(each.key), floor.speedup.low, floor.speedup.high));
    }
  }
  if (!any) refuse_launch(launches.front(), "it has no A/A comparison: nothing says what noise is");
}

/// The file and its folder: where they lie is nobody's business, and reports have one name.
std::string short_name(const std::string& file) {
  const std::filesystem::path path(file);
  return (path.parent_path().filename() / path.filename()).generic_string();
}

}  // namespace

margins default_margins() {
  margins all;
  for (const gated_metric& each : gated_metrics()) all[std::string(each.name)] = default_margin;
  return all;
}

baseline derive(all_launches launches, const margins& declared) {
  require_launches(launches);
  require_same_cells(launches);
  const report& first = launches.front().of.report;
  baseline made{class_of(first.machine, first.run.ranks), first.run.command,
                first.run.reference_arm, first.run.noise_floor_arm};
  expectations expected;
  if (made.machine.device == "cuda") {
    const auto seen = observe_all(launches);
    expected = fit(seen, declared);
    require_quiet(launches, seen, expected, first.run.noise_floor_arm.value_or(""));
    made.declared_margins = declared;
  }
  for (const named_launch& each : launches) {
    const run_record& run = each.of.report.run;
    made.launches.push_back(
        {short_name(each.of.name), run.git_revision, run.started_at, run.seed, each.content});
  }
  for (const cell& each : first.cells) {
    baseline_cell& of = made.cells.emplace_back();
    of.key = each.key;
    of.is_measured = each.status == cell_status::measured;
    if (of.is_measured) of.counts = counts_of(each.counts);
  }
  for (const auto& [key, each] : expected) {
    std::ranges::find(made.cells, key.first, &baseline_cell::key)->metrics[key.second] = each;
  }
  return made;
}

}  // namespace ithaca::reports::gate
