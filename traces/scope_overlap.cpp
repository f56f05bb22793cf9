#include "traces/scope_overlap.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "traces/chrome_time.hpp"
#include "traces/overlap.hpp"
#include "traces/overlap_rows.hpp"
#include "traces/work_part.hpp"

namespace ithaca::traces {
namespace {

/// One run of a stage in one process, by its row.
struct window {
  time_interval stage;
  std::vector<time_interval> computation;
};

std::optional<record_kind> kind_named(std::string_view name) {
  for (const record_kind kind : {record_kind::peer_copy, record_kind::local_copy,
                                 record_kind::memset, record_kind::kernel}) {
    if (to_string(kind) == name) return kind;
  }
  return std::nullopt;
}

/// A process is named after its rank, in a merged trace behind the run; others go by their pid.
int rank_of(const trace_process& process) {
  constexpr std::string_view word = "rank ";
  const std::size_t at = process.name.rfind(word);
  const std::optional<std::uint32_t> named =
      at == std::string::npos ? std::nullopt : chrome_id(process.name.substr(at + word.size()));
  return static_cast<int>(named.value_or(process.pid));
}

/// What judges a slice's part in a stage needs no more of its record.
work_part part_of_slice(const opened_trace& trace, const trace_slice& each) {
  const std::optional<record_kind> kind = kind_named(trace.names[each.kind]);
  if (!kind) return work_part::none;
  timeline_record record;
  record.rank = rank_of(trace.processes[each.process]);
  record.kind = *kind;
  record.name = trace.names[each.name];
  record.peer = each.peer;
  record.bytes = each.bytes;
  record.exchange = each.exchange;
  record.enqueued_only = each.instant;
  return part_of(record);
}

/// The slices of one process, by rising start.
using slice_list = std::vector<const trace_slice*>;

std::vector<window> windows_of(const opened_trace& trace, const slice_list& of_stage) {
  std::vector<window> windows;
  for (const trace_slice* each : of_stage) {
    if (windows.empty() || windows.back().stage.end_ns != each->start_ns) {
      windows.push_back({{each->start_ns, each->start_ns}, {}});
    }
    windows.back().stage.end_ns = each->end_ns;
    if (trace.names[each->name] == computation_name) {
      windows.back().computation.push_back({each->start_ns, each->end_ns});
    }
  }
  return windows;
}

stage_overlap overlap_in(const opened_trace& trace, const window& of, const slice_list& slices,
                         int rank) {
  stage_overlap made;
  made.rank = rank;
  made.stage = of.stage;
  made.computation = interval_set(of.computation);
  std::vector<time_interval> to_peers, within_rank;
  std::map<std::string, std::vector<time_interval>> moving;
  for (auto at = std::ranges::lower_bound(slices, of.stage.start_ns, {}, &trace_slice::start_ns);
       at != slices.end() && (*at)->start_ns < of.stage.end_ns; ++at) {
    const trace_slice& each = **at;
    if (each.end_ns > of.stage.end_ns) continue;
    const work_part part = part_of_slice(trace, each);
    const time_interval when{each.start_ns, each.end_ns};
    if (part == work_part::within_rank) within_rank.push_back(when);
    if (part != work_part::to_peers) continue;
    to_peers.push_back(when);
    const std::string& tag = trace.names[each.tag];
    moving[tag.empty() ? std::string(grouped_tag) : tag].push_back(when);
  }
  made.to_peers = interval_set(std::move(to_peers));
  made.within_rank = interval_set(std::move(within_rank));
  for (auto& [tag, intervals] : moving) {
    tag_overlap& to = made.tags[tag];
    to.moving = interval_set(std::move(intervals));
    to.windows = intersection_of(to.moving, made.computation);
  }
  return made;
}

/// The slices of each process: those of exchanges, and those of the row "stage" by scope.
struct sorted_slices {
  std::vector<slice_list> work;
  std::map<std::uint32_t, std::map<std::uint32_t, slice_list>> stages;  ///< by scope, process
};

sorted_slices sorted(const opened_trace& trace) {
  sorted_slices made;
  made.work.resize(trace.processes.size());
  for (const trace_slice& each : trace.slices) {
    const bool of_stage = trace.names[each.row] == stage_row &&
                          trace.names[each.kind] == to_string(record_kind::range);
    if (of_stage) {
      made.stages[each.scope][each.process].push_back(&each);
    } else if (each.exchange != 0) {
      made.work[each.process].push_back(&each);
    }
  }
  for (slice_list& each : made.work) std::ranges::stable_sort(each, {}, &trace_slice::start_ns);
  for (auto& [scope, processes] : made.stages) {
    for (auto& [process, each] : processes) {
      std::ranges::stable_sort(each, {}, &trace_slice::start_ns);
    }
  }
  return made;
}

nlohmann::json overlap_json(const stage_overlap& of, const std::string& process) {
  nlohmann::json tags = nlohmann::json::object();
  for (const auto& [tag, overlap] : of.tags) {
    tags[tag] = {{"moving_ns", overlap.moving.total_ns()},
                 {"overlap_ns", overlap.windows.total_ns()},
                 {"windows", overlap.windows.intervals().size()}};
  }
  return {{"process", process},
          {"start_ns", of.stage.start_ns},
          {"stage_ns", length_ns(of.stage)},
          {"compute_ns", of.computation.total_ns()},
          {"communication_ns", of.communication().total_ns()},
          {"to_peers_ns", of.to_peers.total_ns()},
          {"within_rank_ns", of.within_rank.total_ns()},
          {"hidden_ns", of.hidden().total_ns()},
          {"exposed_ns", of.exposed().total_ns()},
          {"tags", std::move(tags)}};
}

}  // namespace

const stage_overlap& scope_overlap::told() const {
  std::vector<stage_overlap> worst;
  for (const std::vector<stage_overlap>& run : runs) worst.push_back(most_exposed(run));
  const stage_overlap& middle = median_run(worst);
  const auto place = static_cast<std::size_t>(&middle - worst.data());
  return most_exposed(runs[place]);
}

std::vector<scope_overlap> scope_overlaps(const opened_trace& trace) {
  const sorted_slices slices = sorted(trace);
  std::vector<scope_overlap> all;
  for (const auto& [scope, processes] : slices.stages) {
    scope_overlap& made = all.emplace_back();
    made.scope = trace.names[scope];
    for (const trace_process& each : trace.processes) made.processes.push_back(each.name);
    for (const auto& [process, of_stage] : processes) {
      const std::vector<window> windows = windows_of(trace, of_stage);
      if (made.runs.size() < windows.size()) made.runs.resize(windows.size());
      for (std::size_t run = 0; run < windows.size(); ++run) {
        made.runs[run].push_back(
            overlap_in(trace, windows[run], slices.work[process], static_cast<int>(process)));
      }
    }
  }
  std::ranges::sort(all, {}, &scope_overlap::scope);
  return all;
}

void to_json(nlohmann::json& to, const scope_overlap& from) {
  nlohmann::json runs = nlohmann::json::array();
  for (const std::vector<stage_overlap>& run : from.runs) {
    nlohmann::json of_run = nlohmann::json::array();
    for (const stage_overlap& each : run) {
      of_run.push_back(overlap_json(each, from.processes[static_cast<std::size_t>(each.rank)]));
    }
    runs.push_back(std::move(of_run));
  }
  const stage_overlap& told = from.told();
  to = {{"scope", from.scope},
        {"told", overlap_json(told, from.processes[static_cast<std::size_t>(told.rank)])},
        {"runs", std::move(runs)}};
}

}  // namespace ithaca::traces
