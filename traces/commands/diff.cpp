#include "traces/commands/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "reports/console/exit_codes.hpp"
#include "traces/commands/columns.hpp"
#include "traces/commands/trace_file.hpp"
#include "traces/trace_diff.hpp"

namespace ithaca::traces {
namespace {

constexpr std::size_t shown_durations = 20;

std::string change_text(const operation_pair& of) {
  if (!of.before) return fmt::format("only in the second: {} times", of.after->count);
  if (!of.after) return fmt::format("only in the first: {} times", of.before->count);
  if (of.before->count != of.after->count) {
    return fmt::format("{} times, then {}", of.before->count, of.after->count);
  }
  return fmt::format("{} bytes, then {}", of.before->bytes, of.after->bytes);
}

std::string work_table(const std::vector<operation_pair>& pairs) {
  columns table({"process", "scope", "kind", "name", "difference"}, 5);
  for (const operation_pair& each : pairs) {
    if (each.same_work()) continue;
    table.add(
        {each.name.process, each.name.scope, each.name.kind, each.name.name, change_text(each)});
  }
  return table.text();
}

/// By how much an operation's part of its process's time has changed.
double change_of_share(const operation_pair& of) {
  return std::abs(of.after->share - of.before->share);
}

std::string durations_table(std::vector<operation_pair> pairs, bool all) {
  std::erase_if(pairs, [](const operation_pair& each) {
    return !each.before || !each.after ||
           (each.before->median_ns == 0 && each.after->median_ns == 0);
  });
  if (!all) {
    std::ranges::stable_sort(pairs, std::ranges::greater(), change_of_share);
    pairs.resize(std::min(pairs.size(), shown_durations));
  }
  columns table({"process", "scope", "kind", "name", "median us", "then", "share %", "then"}, 4);
  for (const operation_pair& each : pairs) {
    table.add({each.name.process, each.name.scope, each.name.kind, each.name.name,
               us(each.before->median_ns), us(each.after->median_ns),
               fmt::format("{:.2f}", 100 * each.before->share),
               fmt::format("{:.2f}", 100 * each.after->share)});
  }
  return table.text();
}

}  // namespace

void diff_command::declare(CLI::App& app) {
  app.add_option("FIRST", before_, "A trace (.json, or packed as .json.gz)")->required();
  app.add_option("SECOND", after_, "The trace to compare with it")->required();
  app.add_flag("--all", all_,
               fmt::format("Tell every duration (default: the {} whose share of their process's "
                           "time has changed most)",
                           shown_durations));
  app.add_flag("--quiet", quiet_, "Say nothing of durations");
  app.add_flag("--json", json_, "Print every operation as JSON");
  app.footer(
      "Examples:\n"
      "  ithaca-trace diff before/trace.json after/trace.json\n"
      "  ithaca-trace diff --json a.json b.json | jq '.operations[] | select(.same_work | not)'\n\n"
      "Exit codes: 0 the same operations, 1 others, 2 bad use or invalid input.");
}

int diff_command::run() {
  const std::vector<operation_pair> pairs =
      diff_traces(open_trace_file(before_), open_trace_file(after_));
  const auto different = static_cast<std::size_t>(
      std::ranges::count_if(pairs, [](const auto& each) { return !each.same_work(); }));
  const int exit_code = different == 0 ? console::good : console::check_failed;
  if (json_) {
    const nlohmann::json all = {{"different", different}, {"operations", pairs}};
    fmt::print("{}\n", all.dump(2, ' ', true, nlohmann::json::error_handler_t::replace));
    return exit_code;
  }
  fmt::print("{} operations, {} of them different\n", pairs.size(), different);
  if (different > 0) fmt::print("\n{}", work_table(pairs));
  const std::string durations = quiet_ ? "" : durations_table(pairs, all_);
  if (!durations.empty()) fmt::print("\nDurations, which are no judgement:\n{}", durations);
  return exit_code;
}

}  // namespace ithaca::traces
