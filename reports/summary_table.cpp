#include "reports/summary_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "reports/figures.hpp"
#include "reports/table_parts.hpp"
#include "reports/text_table.hpp"

namespace ithaca::reports {
namespace {

std::string title(const cell_key& key) {
  const std::string schedule = key.schedule == "exchange" ? "" : "  " + key.schedule;
  return fmt::format("{}  {}  {}  U{}{}  {}{}", key.command, key.shape, key.dtype, key.degree,
                     schedule, key.mode, is_simulated(key) ? "  simulated" : "");
}

std::vector<std::string> row(const cell& of, const run_record& run) {
  const bool is_reference = run.reference_arm == of.key.arm;
  const bool is_noise_floor = run.noise_floor_arm == of.key.arm;
  return {of.key.arm + (is_noise_floor ? " (A/A)" : ""),
          figure(of, "time_us"),
          spread(of),
          figure(of, "goodput_gbps"),
          figure(of, "ceiling_share", 100),
          is_reference ? "reference" : speedup(of),
          figure(of, "algbw_gbps"),
          figure(of, "busbw_gbps"),
          figure(of, "submit_us"),
          figure(of, "memory_mib")};
}

std::string noise_floor(const cell& of, const run_record& run) {
  return wrap(fmt::format("noise floor: {} is {} run twice; its speedup {} is the difference "
                          "between equal arms",
                          of.key.arm, run.reference_arm.value_or("an arm"), speedup(of)),
              table_indent, table_width);
}

std::string scenario_table(const std::vector<const cell*>& cells, const run_record& run) {
  const std::string speedup_header =
      run.reference_arm ? fmt::format("vs {} [95 %]", *run.reference_arm) : "speedup [95 %]";
  text_table table({"arm", "time us", "p5..p95", "goodput", "ceil %", speedup_header, "algbw",
                    "busbw", "submit us", "MiB"});
  bool any_measured = false;
  std::string others;
  for (const cell* each : cells) {
    if (each->status == cell_status::measured) {
      table.add_row(row(*each, run));
      any_measured = true;
      if (run.noise_floor_arm == each->key.arm) others += noise_floor(*each, run);
    } else {
      others += unmeasured(*each, each->key.arm);
    }
  }
  return title(cells.front()->key) + "\n" +
         (any_measured ? table.to_string(table_indent, table_width) : std::string{}) + others;
}

/// The cells of each scenario together, scenarios in the order of their first cells.
std::vector<std::vector<const cell*>> by_scenario(const report& of) {
  std::vector<std::vector<const cell*>> scenarios;
  for (const cell& each : of.cells) {
    const auto same = [&](const std::vector<const cell*>& cells) {
      return cells.front()->key.same_scenario(each.key);
    };
    const auto found = std::ranges::find_if(scenarios, same);
    auto& cells = found == scenarios.end() ? scenarios.emplace_back() : *found;
    cells.push_back(&each);
  }
  return scenarios;
}

}  // namespace

std::string summary_table(const report& of) {
  const bool simulated = of.machine.device == simulated_device;
  std::string text = preamble(of);
  const auto scenarios = by_scenario(of);
  if (!scenarios.empty()) {
    text += fmt::format(
        "{} per exchange; goodput, algbw and busbw (by nccl-tests' formula) in GB/s."
        "\n\n",
        simulated ? "Simulated times" : "Times");
  }
  for (std::size_t at = 0; at < scenarios.size(); ++at) {
    if (at > 0) text += '\n';
    text += scenario_table(scenarios[at], of.run);
  }
  return text;
}

}  // namespace ithaca::reports
