#include "traces/trace_diff.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "traces/timeline_record.hpp"

namespace ithaca::traces {
namespace {

struct gathered {
  std::uint64_t bytes = 0;
  std::vector<std::int64_t> durations_ns;
};

std::int64_t median_of(std::vector<std::int64_t>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  const std::int64_t below = *std::max_element(values.begin(), middle);
  return below + (*middle - below) / 2;
}

std::map<operation_name, operation_figures> operations_of(const opened_trace& trace) {
  // By numbers of names, and the process's place.
  std::map<std::array<std::uint32_t, 4>, gathered> all;
  std::vector<double> process_ns(trace.processes.size());
  for (const trace_slice& each : trace.slices) {
    gathered& to = all[{each.process, each.scope, each.kind, each.name}];
    to.bytes += each.bytes;
    to.durations_ns.push_back(each.end_ns - each.start_ns);
    process_ns[each.process] += static_cast<double>(each.end_ns - each.start_ns);
  }
  std::map<operation_name, operation_figures> named;
  for (auto& [key, of] : all) {
    const auto [process, scope, kind, name] = key;
    double total_ns = 0;
    for (const std::int64_t each : of.durations_ns) total_ns += static_cast<double>(each);
    operation_figures& to = named[{trace.processes[process].name, trace.names[scope],
                                   trace.names[kind], trace.names[name]}];
    to.count = of.durations_ns.size();
    to.bytes = of.bytes;
    to.median_ns = median_of(of.durations_ns);
    to.share = process_ns[process] > 0 ? total_ns / process_ns[process] : 0;
  }
  return named;
}

nlohmann::json figures_json(const std::optional<operation_figures>& from) {
  if (!from) return nullptr;
  return {{"count", from->count},
          {"bytes", from->bytes},
          {"median_ns", from->median_ns},
          {"share", from->share}};
}

}  // namespace

bool operation_pair::same_work() const {
  if (name.kind == to_string(record_kind::range)) return true;
  return before && after && before->count == after->count && before->bytes == after->bytes;
}

std::vector<operation_pair> diff_traces(const opened_trace& before, const opened_trace& after) {
  std::map<operation_name, operation_pair> pairs;
  for (const auto& [name, figures] : operations_of(before)) pairs[name].before = figures;
  for (const auto& [name, figures] : operations_of(after)) pairs[name].after = figures;
  std::vector<operation_pair> sorted;
  for (auto& [name, pair] : pairs) {
    pair.name = name;
    sorted.push_back(std::move(pair));
  }
  return sorted;
}

void to_json(nlohmann::json& to, const operation_pair& from) {
  to = {{"process", from.name.process},
        {"scope", from.name.scope},
        {"kind", from.name.kind},
        {"name", from.name.name},
        {"before", figures_json(from.before)},
        {"after", figures_json(from.after)},
        {"same_work", from.same_work()}};
}

}  // namespace ithaca::traces
