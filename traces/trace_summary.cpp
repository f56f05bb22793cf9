#include "traces/trace_summary.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "traces/interval_set.hpp"

namespace ithaca::traces {
namespace {

/// A file can claim any numbers: their sum ends where the type does.
template <class Number>
void add_up(Number& total, Number more) {
  constexpr Number most = std::numeric_limits<Number>::max();
  total = more > most - total ? most : total + more;
}

void add_copy(process_summary& to, const opened_trace& trace, const trace_slice& each) {
  const std::string& kind = trace.names[each.kind];
  if (kind != "peer_copy" && kind != "local_copy") return;
  const std::string& engine = trace.names[each.engine];
  copy_totals& totals = to.copies[engine.empty() ? kind : kind + ", " + engine];
  ++totals.count;
  add_up(totals.bytes, each.bytes);
}

std::int64_t length_ns_of(const opened_trace& trace) {
  if (trace.slices.empty()) return 0;
  const auto first = std::ranges::min_element(trace.slices, {}, &trace_slice::start_ns);
  const auto last = std::ranges::max_element(trace.slices, {}, &trace_slice::end_ns);
  return last->end_ns - first->start_ns;
}

nlohmann::json rows_json(const process_summary& from) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& [name, row] : from.rows) {
    rows.push_back({{"name", name},
                    {"slices", row.slices},
                    {"instants", row.instants},
                    {"total_ns", row.total_ns},
                    {"busy_ns", row.busy_ns}});
  }
  return rows;
}

}  // namespace

trace_summary summarize(const opened_trace& trace) {
  trace_summary made;
  made.arrows = trace.arrows;
  made.length_ns = length_ns_of(trace);
  for (const trace_process& each : trace.processes) made.processes.push_back({each.name, {}, {}});
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<time_interval>> open;
  std::map<std::pair<std::uint32_t, std::uint32_t>, row_summary> rows;
  for (const trace_slice& each : trace.slices) {
    row_summary& row = rows[{each.process, each.row}];
    if (each.instant) {
      ++row.instants;
      ++made.instants;
      continue;
    }
    ++row.slices;
    ++made.slices;
    add_up(row.total_ns, each.end_ns - each.start_ns);
    open[{each.process, each.row}].push_back({each.start_ns, each.end_ns});
    add_copy(made.processes[each.process], trace, each);
  }
  for (auto& [key, row] : rows) {
    row.busy_ns = interval_set(std::move(open[key])).total_ns();
    made.processes[key.first].rows.emplace(trace.names[key.second], row);
  }
  made.overlaps = scope_overlaps(trace);
  return made;
}

void to_json(nlohmann::json& to, const trace_summary& from) {
  nlohmann::json processes = nlohmann::json::array();
  for (const process_summary& each : from.processes) {
    nlohmann::json copies = nlohmann::json::object();
    for (const auto& [kind, totals] : each.copies) {
      copies[kind] = {{"count", totals.count}, {"bytes", totals.bytes}};
    }
    processes.push_back(
        {{"name", each.name}, {"rows", rows_json(each)}, {"copies", std::move(copies)}});
  }
  to = {{"processes", std::move(processes)}, {"slices", from.slices},
        {"instants", from.instants},         {"arrows", from.arrows},
        {"length_ns", from.length_ns},       {"overlaps", from.overlaps}};
}

}  // namespace ithaca::traces
