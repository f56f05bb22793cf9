#include "reports/page/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "reports/metrics.hpp"
#include "reports/page/cell_data.hpp"
#include "reports/run_state.hpp"
#include "reports/sweep.hpp"
#include "reports/throttling.hpp"
#include "reports/verdict.hpp"
#include "reports/verdict_words.hpp"

namespace ithaca::reports {
namespace {

json place_of(const cell* each, const report& of) {
  return each == nullptr ? json() : json(each - of.cells.data());
}

json places_of(const std::vector<const cell*>& cells, const report& of) {
  json places = json::array();
  for (const cell* each : cells) places.push_back(place_of(each, of));
  return places;
}

std::string kind_of(const cell_key& key) {
  if (key.command == "interference") return "interference";
  return key.schedule == "exchange" ? "exchange" : "stage";
}

json scenario_data(const verdict& judged, const report& of) {
  json beside = json::array();
  for (const cell* each : judged.cells)
    beside.push_back(to_string(beside_reference(*each, judged)));
  return {{"name", scenario_name(judged)},
          {"kind", kind_of(judged.cells.front()->key)},
          {"cells", places_of(judged.cells, of)},
          {"beside_reference", beside},
          {"best", place_of(judged.best, of)},
          {"reference", place_of(judged.reference, of)},
          {"as_quick", places_of(judged.as_quick, of)},
          {"noise", judged.noise ? json{judged.noise->low, judged.noise->high} : json()},
          {"outcome", to_string(judged.outcome)},
          {"sentence", sentence(judged, of.run)},
          {"note", note(judged)}};
}

/// From how many sizes on a curve says more than the scenarios do.
constexpr std::size_t sizes_of_a_curve = 3;

json sweep_data(const sweep& cells, const report& of, std::span<const verdict> judged) {
  sweep sized = cells;
  std::erase_if(sized, [](const cell* each) { return !bytes_a_peer(*each); });
  std::ranges::stable_sort(sized, {}, [](const cell* each) { return *bytes_a_peer(*each); });
  const std::vector<std::string> shapes = shapes_of(sized);
  if (shapes.size() < sizes_of_a_curve) return {};
  json choices = json::array();
  for (const choice_range& each : choice_ranges(sized, shapes, judged)) {
    choices.push_back(
        {{"arm", each.arm}, {"first_shape", each.first_shape}, {"last_shape", each.last_shape}});
  }
  const cell_key& key = sized.front()->key;
  const std::string schedule = key.schedule == "exchange" ? "" : " " + key.schedule;
  return {{"name", fmt::format("{} U{} {}{}", key.dtype, key.degree, key.mode, schedule)},
          {"cells", places_of(sized, of)},
          {"choices", choices}};
}

json sweeps_data(const report& of, std::span<const verdict> judged) {
  json all = json::array();
  for (const sweep& each : sweeps(of)) {
    if (json data = sweep_data(each, of, judged); !data.is_null()) all.push_back(std::move(data));
  }
  return all;
}

json clocks_data(const scenario_telemetry& of) {
  json data = {
      {"shape", of.shape},
      {"dtype", of.dtype},
      {"degree", of.degree},
      {"schedule", of.schedule},
      {"rounds", of.sm_mhz.size()},
      {"throttled_rounds", nullptr},
      {"discarded_rounds", of.discarded_rounds ? json(of.discarded_rounds->size()) : json()},
      {"sm_drift_mhz", of.sm_drift_mhz ? json(*of.sm_drift_mhz) : json()},
      {"sm_mhz", nullptr}};
  if (of.throttled) {
    std::vector<int> rounds;
    for (const throttled_round& each : *of.throttled) rounds.push_back(each.round);
    std::ranges::sort(rounds);
    data["throttled_rounds"] =
        std::ranges::distance(rounds.begin(), std::ranges::unique(rounds).begin());
  }
  std::vector<std::int64_t> clocks;
  for (const auto& round : of.sm_mhz) {
    for (const auto& rank : round) {
      if (rank) clocks.push_back(*rank);
    }
  }
  if (!clocks.empty()) data["sm_mhz"] = {std::ranges::min(clocks), std::ranges::max(clocks)};
  return data;
}

json report_data(const report& of) {
  const std::vector<verdict> judged = verdicts(of);
  json state = json::array();
  for (const state_line& line : run_state(of, judged)) {
    state.push_back({{"weight", to_string(line.weight)}, {"sentence", line.sentence}});
  }
  json scenarios = json::array();
  for (const verdict& each : judged) scenarios.push_back(scenario_data(each, of));
  json clocks = json::array();
  for (const scenario_telemetry& each : of.telemetry.scenarios) clocks.push_back(clocks_data(each));
  json cells = json::array();
  for (const cell& each : of.cells) {
    cells.push_back(cell_data(each, discarded(of.telemetry, each.key)));
  }
  return {{"headline", headline(judged, of.run)},
          {"state", state},
          {"run", to_json(of.run)},
          {"machine", to_json(of.machine)},
          {"links", to_json(of.links)},
          {"kernels", to_json(of.kernels)},
          {"clocks", clocks},
          {"scenarios", scenarios},
          {"sweeps", sweeps_data(of, judged)},
          {"cells", cells}};
}

}  // namespace

json page_data(std::span<const report> reports) {
  json all = json::array();
  for (const report& each : reports) all.push_back(report_data(each));
  json metrics = json::array();
  for (const metric_row& each : metric_table()) metrics.push_back(each.name);
  return {{"metrics", metrics}, {"reports", all}};
}

}  // namespace ithaca::reports
