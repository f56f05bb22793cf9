#include "reports/verdict.hpp"

#include <algorithm>

#include "reports/figures.hpp"
#include "reports/statistics.hpp"
#include "reports/throttling.hpp"

namespace ithaca::reports {
namespace {

constexpr const char* exchange_schedule = "exchange";

bool is_interference(const cell_key& of) { return of.command == "interference"; }
bool is_stage(const cell_key& of) {
  return of.schedule != exchange_schedule && !is_interference(of);
}

/// What is equal in all cells of a scenario.
cell_key scenario_of(cell_key key) {
  if (is_stage(key)) key.schedule.clear();
  if (key.schedule != exchange_schedule) key.mode.clear();
  key.arm.clear();
  return key;
}

double measured_us(const cell* of) { return find_metric(*of, "time_us")->value; }

std::optional<interval> speedup_interval(const cell& of) {
  const metric* const found = find_metric(of, "speedup");
  return found != nullptr ? found->ci95 : std::nullopt;
}

/// Of stages the arm occurs by every schedule: the reference is the one beside which the others
/// stand, so that its own ratio is 1 or is left out.
bool is_reference(const cell& of, const run_record& run) {
  const metric* const ratio = find_metric(of, "speedup");
  return competes(of, run) && of.key.arm == run.reference_arm &&
         (ratio == nullptr || ratio->ci95 == interval{1, 1});
}

std::optional<interval> noise_of(const std::vector<const cell*>& cells, const run_record& run) {
  std::optional<interval> noise;
  for (const cell* each : cells) {
    const std::optional<interval> equal = speedup_interval(*each);
    if (each->key.arm != run.noise_floor_arm || !is_whole(*each) || !equal) continue;
    if (each->samples.round_count() < fewest_rounds) continue;
    const interval known = noise.value_or(interval{1, 1});
    noise = interval{std::min({known.low, equal->low, 1 / equal->high}),
                     std::max({known.high, equal->high, 1 / equal->low})};
  }
  return noise;
}

/// How many times as quick `one` is as `other`; empty where their rounds are not the same ones.
std::optional<interval> ratio_of(const cell& one, const cell& other, const report& in) {
  const auto rounds = [&](const cell& of) {
    return of.samples.without(discarded(in.telemetry, of.key)).round_medians_ns();
  };
  const round_values mine = rounds(one);
  const round_values theirs = rounds(other);
  if (mine.empty() || !std::ranges::equal(mine, theirs, {}, &std::vector<double>::size,
                                          &std::vector<double>::size)) {
    return std::nullopt;
  }
  return ratio_over_rounds(theirs, mine, in.run.seed).ci95;
}

/// `choices`: quickest first, the best before all.
std::vector<const cell*> as_quick_as_the_first(const std::vector<const cell*>& choices,
                                               const std::optional<interval>& noise,
                                               const report& in) {
  std::vector<const cell*> found;
  for (std::size_t at = 1; at < choices.size(); ++at) {
    if (find(ratio_of(*choices[0], *choices[at], in), noise) == finding::quicker) break;
    found.push_back(choices[at]);
  }
  return found;
}

void judge(verdict& of, const report& in) {
  const run_record& run = in.run;
  of.noise = noise_of(of.cells, run);
  if (is_interference(of.cells.front()->key)) return;
  std::vector<const cell*> choices;
  for (const cell* each : of.cells) {
    if (is_reference(*each, run)) of.reference = each;
    if (competes(*each, run)) choices.push_back(each);
  }
  if (choices.empty()) return;
  std::ranges::stable_sort(choices, {}, measured_us);
  of.best = choices.front();
  of.as_quick = as_quick_as_the_first(choices, of.noise, in);
  if (of.best != of.reference)
    of.outcome = beside_reference(*of.best, of);
  else if (of.noise && choices.size() > 1)
    of.outcome = of.as_quick.empty() ? finding::quicker : finding::not_decided;
}

}  // namespace

bool is_bare(const std::string& arm) { return arm.ends_with("-bare"); }

bool is_whole(const cell& of) {
  return of.key.mode == isolated_mode || of.key.mode == pipelined_mode;
}

bool competes(const cell& of, const run_record& run) {
  return is_whole(of) && of.status == cell_status::measured &&
         find_metric(of, "time_us") != nullptr && !is_bare(of.key.arm) &&
         of.key.arm != run.noise_floor_arm;
}

std::string to_string(finding of) {
  switch (of) {
    case finding::quicker:
      return "quicker";
    case finding::slower:
      return "slower";
    case finding::not_decided:
      return "not decided";
    case finding::not_compared:
      break;
  }
  return "not compared";
}

finding find(const std::optional<interval>& ratio, const std::optional<interval>& noise) {
  if (!ratio || !noise) return finding::not_compared;
  if (ratio->low > std::max(1.0, noise->high)) return finding::quicker;
  if (ratio->high < std::min(1.0, noise->low)) return finding::slower;
  return finding::not_decided;
}

std::vector<verdict> verdicts(const report& of) {
  std::vector<verdict> all;
  for (const cell& each : of.cells) {
    const cell_key scenario = scenario_of(each.key);
    const auto found = std::ranges::find_if(all, [&](const verdict& known) {
      return scenario_of(known.cells.front()->key) == scenario;
    });
    (found == all.end() ? all.emplace_back() : *found).cells.push_back(&each);
  }
  for (verdict& each : all) judge(each, of);
  return all;
}

finding beside_reference(const cell& of, const verdict& in) {
  if (&of == in.reference || !is_whole(of)) return finding::not_compared;
  return find(speedup_interval(of), in.noise);
}

}  // namespace ithaca::reports
