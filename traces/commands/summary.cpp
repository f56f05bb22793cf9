#include "traces/commands/summary.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "reports/console/exit_codes.hpp"
#include "traces/commands/columns.hpp"
#include "traces/commands/trace_file.hpp"
#include "traces/trace_summary.hpp"

namespace ithaca::traces {
namespace {

std::string rows_table(const trace_summary& of) {
  columns table({"process", "row", "slices", "instants", "total us", "busy us"}, 2);
  for (const process_summary& process : of.processes) {
    for (const auto& [name, row] : process.rows) {
      table.add({process.name, name, fmt::format("{}", row.slices), fmt::format("{}", row.instants),
                 us(row.total_ns), us(row.busy_ns)});
    }
  }
  return table.text();
}

std::string copies_table(const trace_summary& of) {
  columns table({"process", "copies", "count", "bytes"}, 2);
  for (const process_summary& process : of.processes) {
    for (const auto& [kind, totals] : process.copies) {
      table.add(
          {process.name, kind, fmt::format("{}", totals.count), fmt::format("{}", totals.bytes)});
    }
  }
  return table.text();
}

std::string overlap_table(const trace_summary& of) {
  columns table({"scope", "longest wait", "stage us", "compute us", "communication us", "hidden us",
                 "exposed us"},
                2);
  for (const scope_overlap& each : of.overlaps) {
    const stage_overlap& told = each.told();
    table.add({each.scope, each.processes[static_cast<std::size_t>(told.rank)],
               us(length_ns(told.stage)), us(told.computation.total_ns()),
               us(told.communication().total_ns()), us(told.hidden().total_ns()),
               us(told.exposed().total_ns())});
  }
  return table.text();
}

}  // namespace

void summary_command::declare(CLI::App& app) {
  app.add_option("TRACE", file_, "The trace (.json, or packed as .json.gz)")->required();
  app.add_flag("--json", json_, "Print it as JSON, times in nanoseconds, every run of every stage");
  app.footer(
      "Examples:\n"
      "  ithaca-trace summary out/latest/trace.json\n"
      "  ithaca-trace summary --json out/latest/trace.json | jq '.overlaps[].told.hidden_ns'");
}

int summary_command::run() {
  const trace_summary made = summarize(open_trace_file(file_));
  if (json_) {
    const nlohmann::json all = made;
    fmt::print("{}\n", all.dump(2, ' ', true, nlohmann::json::error_handler_t::replace));
    return console::good;
  }
  fmt::print("{}: {} processes, {} slices, {} instants, {} arrows, {} us\n", file_,
             made.processes.size(), made.slices, made.instants, made.arrows, us(made.length_ns));
  for (const std::string& table : {rows_table(made), copies_table(made), overlap_table(made)}) {
    if (!table.empty()) fmt::print("\n{}", table);
  }
  return console::good;
}

}  // namespace ithaca::traces
