#include "reports/run_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "reports/figures.hpp"
#include "reports/throttling.hpp"

namespace ithaca::reports {
namespace {

/// "1 cell", "3 cells".
std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string was(std::size_t count) { return count == 1 ? "was" : "were"; }

void say_device(const report& of, std::vector<state_line>& to) {
  if (!of.run.note) return;
  to.push_back({of.machine.device == "cuda" ? heed::plain : heed::caution, *of.run.note});
}

void say_cells(const report& of, std::vector<state_line>& to) {
  const auto count = [&](cell_status status) {
    return static_cast<std::size_t>(std::ranges::count(of.cells, status, &cell::status));
  };
  const std::size_t measured = count(cell_status::measured);
  to.push_back({of.run.complete ? heed::good : heed::bad,
                fmt::format("{}: {} of {} measured.",
                            of.run.complete ? "The run is complete" : "The run is not complete",
                            measured, counted(of.cells.size(), "cell"))});
  if (const std::size_t refuted = count(cell_status::refuted)) {
    to.push_back({heed::bad, fmt::format("{} {} refuted: its bytes were wrong, or what ran is not "
                                         "what its arm claims.",
                                         counted(refuted, "cell"), was(refuted))});
  }
  if (const std::size_t incomplete = count(cell_status::incomplete)) {
    to.push_back(
        {heed::caution, fmt::format("{} did not come to an end.", counted(incomplete, "cell"))});
  }
  if (const std::size_t skipped = count(cell_status::skipped)) {
    to.push_back({heed::plain, fmt::format("{} {} skipped, for the reasons given below.",
                                           counted(skipped, "cell"), was(skipped))});
  }
}

void say_throttling(const report& of, std::vector<state_line>& to) {
  std::size_t held = 0;
  std::size_t gone = 0;
  std::size_t scenarios = 0;
  std::set<std::string> reasons;
  for (const scenario_telemetry& each : of.telemetry.scenarios) {
    std::set<int> rounds;
    for (const throttled_round& round : each.throttled.value_or(std::vector<throttled_round>{})) {
      rounds.insert(round.round);
      reasons.insert(round.reasons.begin(), round.reasons.end());
    }
    held += rounds.size();
    gone += discarded(each).size();
    scenarios += rounds.empty() ? 0 : 1;
  }
  if (held == 0) return;
  to.push_back(
      {heed::caution,
       fmt::format("GPUs held their clocks down ({}) in {} of {}; {} discarded, for all arms.",
                   fmt::join(reasons, ", "), counted(held, "round"), counted(scenarios, "scenario"),
                   gone == 0 ? "none was" : fmt::format("{} {}", gone, was(gone)))});
}

void say_clocks(const report& of, std::vector<state_line>& to) {
  say_throttling(of, to);
  if (of.telemetry.warm_up && !of.telemetry.warm_up->settled) {
    to.push_back(
        {heed::caution, fmt::format("The SM clocks were not steady after {} ms of warm-up.",
                                    of.telemetry.warm_up->after_ms)});
  }
  if (of.machine.device == "cuda" && of.telemetry.not_readable) {
    to.push_back({heed::plain, "Clocks and throttling are not known of all GPUs: " +
                                   *of.telemetry.not_readable + "."});
  }
}

bool differs_from_itself(const cell& of) {
  const metric* const ratio = find_metric(of, "speedup");
  return ratio != nullptr && ratio->ci95 && (ratio->ci95->low > 1 || ratio->ci95->high < 1);
}

void say_noise(const report& of, const std::vector<verdict>& judged, std::vector<state_line>& to) {
  std::size_t known = 0;
  std::size_t apart = 0;
  for (const verdict& each : judged) {
    if (!each.noise) continue;
    ++known;
    apart += std::ranges::any_of(each.cells, [&](const cell* other) {
      return other->key.arm == of.run.noise_floor_arm && differs_from_itself(*other);
    });
  }
  if (known == 0 && !judged.empty()) {
    const bool measured_twice = std::ranges::any_of(of.cells, [&](const cell& each) {
      return each.key.arm == of.run.noise_floor_arm && each.status == cell_status::measured;
    });
    to.push_back(
        {heed::caution,
         measured_twice
             ? fmt::format("Fewer than {} rounds don't tell noise from a difference, so nothing is "
                           "decided: take ten or more (--rounds).",
                           fewest_rounds)
             : "No arm was measured twice, so the noise is not known and nothing is decided."});
  }
  if (apart > 0) {
    to.push_back(
        {heed::plain,
         fmt::format("In {} of {} the interval of the reference against itself leaves out 1: what "
                     "differs by as little is not decided there.",
                     apart, counted(known, "scenario"))});
  }
}

}  // namespace

std::string to_string(heed of) {
  switch (of) {
    case heed::good:
      return "good";
    case heed::caution:
      return "caution";
    case heed::bad:
      return "bad";
    case heed::plain:
      break;
  }
  return "plain";
}

std::vector<state_line> run_state(const report& of, const std::vector<verdict>& judged) {
  std::vector<state_line> lines;
  say_device(of, lines);
  say_cells(of, lines);
  say_clocks(of, lines);
  say_noise(of, judged, lines);
  return lines;
}

}  // namespace ithaca::reports
