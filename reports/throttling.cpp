#include "reports/throttling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/statistics.hpp"

namespace ithaca::reports {
namespace {

constexpr const char* power_cap = "power cap";
constexpr int fewest_left = 3;

using reasons_of_round = std::map<int, std::set<std::string>>;

reasons_of_round reasons_by_round(const scenario_telemetry& of) {
  reasons_of_round all;
  for (const throttled_round& each : *of.throttled) {
    all[each.round].insert(each.reasons.begin(), each.reasons.end());
  }
  return all;
}

int rounds_with_power_cap(const reasons_of_round& all) {
  return static_cast<int>(
      std::ranges::count_if(all, [](const auto& each) { return each.second.contains(power_cap); }));
}

/// The median over ranks of how much the SM clock changed from the first kept round to the last;
/// empty where no rank's is known.
std::optional<double> drift(const telemetry_column& sm_mhz, const std::set<int>& gone) {
  std::vector<std::size_t> kept;
  for (std::size_t round = 0; round < sm_mhz.size(); ++round) {
    if (!gone.contains(static_cast<int>(round))) kept.push_back(round);
  }
  if (kept.empty()) return std::nullopt;
  const auto& first = sm_mhz[kept.front()];
  const auto& last = sm_mhz[kept.back()];
  std::vector<double> changes;
  for (std::size_t rank = 0; rank < std::min(first.size(), last.size()); ++rank) {
    if (first[rank] && last[rank]) {
      changes.push_back(static_cast<double>(*last[rank] - *first[rank]));
    }
  }
  if (changes.empty()) return std::nullopt;
  return median(std::move(changes));
}

void discard(scenario_telemetry& of, int rounds) {
  const reasons_of_round all = reasons_by_round(of);
  const int capped = rounds_with_power_cap(all);
  const bool cap_is_the_state = capped > 0 && 2 * capped >= rounds;
  std::vector<discarded_round> gone;
  for (const auto& [round, reasons] : all) {
    std::vector<std::string> why(reasons.begin(), reasons.end());
    if (cap_is_the_state) std::erase(why, power_cap);
    if (!why.empty()) gone.push_back({round, std::move(why)});
  }
  if (cap_is_the_state) {
    of.throttling_note = fmt::format(
        "the power cap held clocks down in {} of {} rounds: that is the state that was "
        "measured, and discards no round",
        capped, rounds);
  }
  const int left = rounds - static_cast<int>(gone.size());
  if (!gone.empty() && (left < fewest_left || 2 * left < rounds)) {
    of.throttling_note = fmt::format(
        "clocks were held down in {} of {} rounds: too few are left without, so none was discarded",
        gone.size(), rounds);
    gone.clear();
  }
  of.discarded_rounds = std::move(gone);
}

}  // namespace

void settle_throttling(scenario_telemetry& of, int rounds) {
  of.throttling_note.reset();
  of.discarded_rounds.reset();
  if (of.throttled) discard(of, rounds);
  of.sm_drift_mhz = drift(of.sm_mhz, discarded(of));
}

std::set<int> discarded(const scenario_telemetry& of) {
  std::set<int> rounds;
  if (!of.discarded_rounds) return rounds;
  for (const discarded_round& each : *of.discarded_rounds) rounds.insert(each.round);
  return rounds;
}

std::set<int> discarded(const telemetry& in, const cell_key& key) {
  const auto is_its = [&](const scenario_telemetry& each) {
    return each.shape == key.shape && each.dtype == key.dtype && each.degree == key.degree;
  };
  const auto found = std::ranges::find_if(in.scenarios, is_its);
  return found == in.scenarios.end() ? std::set<int>() : discarded(*found);
}

cell_inputs without_discarded(cell_inputs of, const cell_key& key, const telemetry& in) {
  const std::set<int> rounds = discarded(in, key);
  if (rounds.empty()) return of;
  of.samples = of.samples.without(rounds);
  for (auto* with : {&of.reference, &of.compute_only, &of.communication_only}) {
    if (*with) *with = (*with)->without(rounds);
  }
  return of;
}

}  // namespace ithaca::reports
