#include "reports/gate/writers.hpp"
#include "reports/json.hpp"

namespace ithaca::reports::gate {
namespace {

json interval_to_json(const interval& of) { return {of.low, of.high}; }

json comparison_to_json(const comparison& from) {
  json to = json::object();
  write_fields(from.seen.key, to);
  to["metric"] = from.seen.metric;
  to["outcome"] = to_string(from.came_to);
  to["slowdown"] = from.slowdown;
  to["slowdown_ci"] = interval_to_json(from.slowdown_ci);
  to["margin"] = from.expected.margin;
  to["detectable_slowdown"] = from.expected.detectable_slowdown;
  return to;
}

json noise_floor_to_json(const noise_floor& from) {
  json to = json::object();
  write_fields(from.key, to);
  to["speedup_ci"] = interval_to_json(from.speedup);
  to["margin"] = from.margin;
  return to;
}

json finding_to_json(const finding& from) {
  json to = {{"kind", to_string(from.kind)}};
  to["cell"] = nullptr;
  if (from.cell) {
    to["cell"] = json::object();
    write_fields(*from.cell, to["cell"]);
  }
  to["what"] = from.what;
  to["message"] = from.message;
  return to;
}

template <class Type>
json list(const std::vector<Type>& from, json (*each_to_json)(const Type&)) {
  json to = json::array();
  for (const Type& each : from) to.push_back(each_to_json(each));
  return to;
}

}  // namespace

std::string as_json(const result& of) {
  const json all = {{"verdict", to_string(verdict_of(of))},
                    {"exit_code", exit_code(verdict_of(of))},
                    {"baseline", of.baseline},
                    {"reports", of.reports},
                    {"counts_compared", of.counts_compared},
                    {"findings", list(of.findings, finding_to_json)},
                    {"noise_floors", list(of.noise_floors, noise_floor_to_json)},
                    {"comparisons", list(of.comparisons, comparison_to_json)}};
  constexpr auto on_foreign_bytes = json::error_handler_t::replace;
  return all.dump(1, ' ', false, on_foreign_bytes) + "\n";
}

}  // namespace ithaca::reports::gate
