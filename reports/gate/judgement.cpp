#include "reports/gate/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "reports/gate/count_findings.hpp"

namespace ithaca::reports::gate {
namespace {

std::string percent(double fraction) { return fmt::format("{:+.1f} %", fraction * 100); }

std::string sentence(const comparison& of) {
  const std::string change = fmt::format("{} ({} to {}), margin {:.1f} %", percent(of.slowdown),
                                         percent(of.slowdown_ci.low), percent(of.slowdown_ci.high),
                                         of.expected.margin * 100);
  switch (of.came_to) {
    case outcome::worse:
      return "slower by " + change;
    case outcome::improved:
      return "quicker: " + change;
    case outcome::too_noisy:
      return fmt::format(
          "{}; its baseline is too noisy to decide: less than {:.0f} % would not show", change,
          of.expected.detectable_slowdown * 100);
    default:
      return fmt::format("{}; a slowdown of {:.1f} % would show: measure more rounds or launches",
                         change, of.expected.detectable_slowdown * 100);
  }
}

class judge_of_run {
 public:
  judge_of_run(const baseline& against, const report& run, judging what, result& to)
      : against_(against), run_(run), what_(what), to_(to) {}

  /// Of another machine nothing else is worth a word.
  bool is_of_this_machine() {
    const auto why = difference(class_of(run_.machine, run_.run.ranks), against_.machine);
    if (why) invalid("the machine " + *why);
    return !why;
  }

  void judge_run() {
    require_same("run.command", run_.run.command, against_.command);
    require_same("run.reference_arm", run_.run.reference_arm.value_or("none"),
                 against_.reference_arm.value_or("none"));
    require_same("run.noise_floor_arm", run_.run.noise_floor_arm.value_or("none"),
                 against_.noise_floor_arm.value_or("none"));
    if (!run_.run.complete) invalid("run.complete is false: the run broke off");
    if (what_.absolute && against_.machine.device != "cuda") {
      invalid(fmt::format("times of the {} device say nothing: only counts are gated",
                          against_.machine.device));
    }
  }

  void judge_cells() {
    std::map<cell_key, const cell*> found;
    for (const cell& each : run_.cells) found[each.key] = &each;
    for (const baseline_cell& each : against_.cells) {
      const auto at = found.find(each.key);
      if (at == found.end()) {
        invalid(each.key, "", "is missing");
        continue;
      }
      judge_cell(*at->second, each);
      found.erase(at);
    }
    for (const cell& each : run_.cells) {
      if (found.contains(each.key)) {
        invalid(each.key, "", "is not in the baseline: derive it anew with --update");
      }
    }
  }

  void judge_metrics() {
    if (against_.machine.device != "cuda") return;
    std::map<std::pair<cell_key, std::string>, observation> seen;
    for (observation& each : observe(run_)) seen[{each.key, each.metric}] = std::move(each);
    const std::size_t comparisons =
        std::max<std::size_t>(1, what_.absolute ? metric_count(against_) : ratio_count(against_));
    for (const baseline_cell& each : against_.cells) {
      for (const auto& [name, expected] : each.metrics) {
        const auto found = seen.find({each.key, name});
        if (found == seen.end()) {
          if (is_judged(name) && is_measured(each.key)) invalid(each.key, name, "is missing");
          continue;
        }
        if (is_judged(name)) judge_metric(found->second, expected, comparisons);
        seen.erase(found);
      }
    }
    for (const auto& [key, unused] : seen) {
      if (is_judged(key.second) && is_expected(key.first)) {
        invalid(key.first, key.second, "is not in the baseline: derive it anew with --update");
      }
    }
  }

  void require_comparison() {
    if (to_.comparisons.empty() && to_.counts_compared == 0) invalid("there is nothing to compare");
    const auto decided = [](const comparison& each) { return each.came_to != outcome::too_noisy; };
    if (!to_.comparisons.empty() && std::ranges::none_of(to_.comparisons, decided)) {
      invalid("every comparison is too noisy to decide anything: measure more rounds");
    }
    if (to_.noise_floors.empty() && !to_.comparisons.empty()) {
      invalid("there is no A/A comparison: nothing says what noise is");
    }
  }

 private:
  void invalid(std::string message) {
    to_.findings.push_back({finding_kind::invalid, std::nullopt, "", std::move(message)});
  }
  void invalid(const cell_key& of, std::string what, std::string message) {
    to_.findings.push_back({finding_kind::invalid, of, std::move(what), std::move(message)});
  }

  void require_same(const std::string& place, const std::string& is, const std::string& expected) {
    if (is == expected) return;
    invalid(fmt::format("{} is \"{}\" where \"{}\" is expected", place, is, expected));
  }

  bool is_judged(const std::string& metric) const {
    return what_.absolute || !gated_metric_of(metric).absolute;
  }
  bool is_measured(const cell_key& key) const {
    const auto found = std::ranges::find(run_.cells, key, &cell::key);
    return found != run_.cells.end() && found->status == cell_status::measured;
  }
  /// Cells that are not are named elsewhere.
  bool is_expected(const cell_key& key) const {
    const auto found = std::ranges::find(against_.cells, key, &baseline_cell::key);
    return found != against_.cells.end() && found->is_measured;
  }

  void judge_cell(const cell& seen, const baseline_cell& expected) {
    if (seen.status == cell_status::skipped && !expected.is_measured) return;
    if (seen.status != cell_status::measured) {
      invalid(seen.key, "", fmt::format("is {}: {}", to_string(seen.status), *seen.reason));
      return;
    }
    if (!expected.is_measured) {
      invalid(seen.key, "", "is measured, and was skipped: derive the baseline anew with --update");
      return;
    }
    const bool exchanges =
        seen.key.mode != compute_only_mode && seen.key.device != simulated_device;
    if (exchanges && seen.checked.bytes == 0) {
      invalid(seen.key, "checked.bytes", "is 0: nothing says that what arrived was right");
      return;
    }
    const exact_counts counts = counts_of(seen.counts);
    to_.counts_compared += counts.size();
    for (finding& each : compare_counts(seen.key, counts, expected.counts)) {
      to_.findings.push_back(std::move(each));
    }
  }

  void judge_metric(const observation& seen, const expectation& expected, std::size_t comparisons) {
    if (against_.noise_floor_arm == seen.key.arm && seen.metric == "speedup") {
      const noise_floor floor = noise_floor_of(seen, expected, comparisons);
      to_.noise_floors.push_back(floor);
      if (!floor.is_within_its_band()) {
        invalid(seen.key, seen.metric,
                fmt::format("the reference again is {:.3f} to {:.3f} times as fast as itself: "
                            "something other than the arms decides here",
                            floor.speedup.low, floor.speedup.high));
      }
      return;
    }
    const comparison& made = to_.comparisons.emplace_back(compare(seen, expected, comparisons));
    if (made.came_to == outcome::unchanged) return;
    to_.findings.push_back({kind_of(made.came_to), seen.key, seen.metric, sentence(made)});
  }

  static finding_kind kind_of(outcome of) {
    switch (of) {
      case outcome::worse:
        return finding_kind::worse;
      case outcome::improved:
        return finding_kind::improved;
      case outcome::too_noisy:
        return finding_kind::too_noisy;
      default:
        return finding_kind::ambiguous;
    }
  }

  const baseline& against_;
  const report& run_;
  const judging what_;
  result& to_;
};

}  // namespace

result judge(const baseline& against, const std::string& file, const named_report& run,
             judging what) {
  result to{file, {run.name}};
  judge_of_run each(against, run.report, what, to);
  if (!each.is_of_this_machine()) return to;
  each.judge_run();
  each.judge_cells();
  try {
    each.judge_metrics();
    each.require_comparison();
  } catch (const std::invalid_argument& error) {
    to.findings.push_back({finding_kind::invalid, std::nullopt, "", error.what()});
  }
  std::ranges::stable_sort(to.findings, {}, &finding::kind);
  return to;
}

}  // namespace ithaca::reports::gate
