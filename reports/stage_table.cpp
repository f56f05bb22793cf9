#include "reports/stage_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/figures.hpp"
#include "reports/table_parts.hpp"
#include "reports/text_table.hpp"
#include "reports/units.hpp"

namespace ithaca::reports {
namespace {

/// Names of schedules with settings and of arms take half a line.
constexpr std::size_t names_and_figures_width = 160;

constexpr std::string_view v_tag = "v";  // and "v.0", "v.1": its parts
constexpr const char* norm_kernel = "norm_rope_kernel";

using cells_of_scenario = std::vector<const cell*>;

bool is_whole_stage(const cell& of) {
  return of.key.mode != compute_only_mode && of.key.mode != communication_only_mode;
}

/// What stands in the arm's place.
std::string what(const cell& of, const run_record& run) {
  if (of.key.mode == compute_only_mode) return "compute only";
  if (of.key.mode == communication_only_mode) return of.key.arm + " alone";
  return of.key.arm + (run.noise_floor_arm == of.key.arm ? " (A/A)" : "");
}

double time_or_infinity_us(const cell* of) {
  const metric* const time = find_metric(*of, "time_us");
  return time != nullptr ? time->value : std::numeric_limits<double>::infinity();
}

std::string over_compute(const cell& of) {
  const metric* const found = find_metric(of, "over_compute");
  return found != nullptr ? fmt::format("{:.3f}", found->value) : "-";
}

std::string against_reference(const cell& of, const run_record& run) {
  const bool is_reference = is_whole_stage(of) && run.reference_arm == of.key.arm &&
                            find_metric(of, "speedup") == nullptr;
  return is_reference ? "reference" : speedup(of);
}

std::string us(std::int64_t ns) { return compact(static_cast<double>(ns) / ns_per_us); }

std::string exposed(const cell& of) { return of.overlap ? us(of.overlap->exposed_ns) : "-"; }

std::string hidden_percent(const cell& of) {
  const auto fraction = of.overlap ? hidden_fraction(*of.overlap) : std::nullopt;
  return fraction ? fmt::format("{:.1f}", *fraction * 100) : "-";
}

bool is_v(std::string_view tag) {
  return tag == v_tag || (tag.starts_with(v_tag) && tag.substr(v_tag.size()).starts_with('.'));
}

std::string v_beside_norm(const cell& of) {
  if (!of.overlap) return "-";
  std::optional<double> beside_ns;  // as numbers that were read, they may add up to any size
  for (const auto& [tag, figures] : of.overlap->tags) {
    if (!is_v(tag)) continue;
    const auto found = figures.beside_ns.find(norm_kernel);
    beside_ns = beside_ns.value_or(0) +
                (found != figures.beside_ns.end() ? static_cast<double>(found->second) : 0.0);
  }
  return beside_ns ? compact(*beside_ns / ns_per_us) : "-";
}

std::string ratio(const std::optional<double>& value, double scale = 1) {
  return value ? compact(*value * scale) : "-";
}

/// The first column of each cell: schedule and arm, below their headings.
std::vector<std::string> names(const cells_of_scenario& cells, const run_record& run) {
  constexpr std::string_view heading = "schedule";
  std::size_t schedule_width = heading.size();
  for (const cell* each : cells) {
    schedule_width = std::max(schedule_width, each->key.schedule.size());
  }
  std::vector<std::string> all = {fmt::format("{:<{}}  arm", heading, schedule_width)};
  for (const cell* each : cells) {
    all.push_back(fmt::format("{:<{}}  {}", each->key.schedule, schedule_width, what(*each, run)));
  }
  return all;
}

std::string measured_rows(const cells_of_scenario& cells, const run_record& run) {
  const std::vector<std::string> name = names(cells, run);
  text_table table({name[0], "time us", "p5..p95", "x compute", "speedup [95 %]", "exposed",
                    "hidden %", "V by norm"});
  for (std::size_t at = 0; at < cells.size(); ++at) {
    const cell& each = *cells[at];
    table.add_row({name[at + 1], figure(each, "time_us"), spread(each), over_compute(each),
                   against_reference(each, run), exposed(each), hidden_percent(each),
                   v_beside_norm(each)});
  }
  return table.to_string(table_indent, names_and_figures_width);
}

/// What both parts lose by each other, and what is gained; of the cells that were compared with
/// their parts alone.
std::string compared_rows(cells_of_scenario cells, const run_record& run) {
  std::erase_if(cells, [](const cell* each) {
    return !is_whole_stage(*each) || !each->overlap ||
           !(each->overlap->compute_slowdown || each->overlap->communication_slowdown);
  });
  if (cells.empty()) return "";
  const std::vector<std::string> name = names(cells, run);
  text_table table({name[0], "computation x", "communication x", "of ideal gain %"});
  for (std::size_t at = 0; at < cells.size(); ++at) {
    const overlap_figures& of = *cells[at]->overlap;
    table.add_row({name[at + 1], ratio(of.compute_slowdown), ratio(of.communication_slowdown),
                   of.ideal_share ? fmt::format("{:.0f}", *of.ideal_share * 100) : "-"});
  }
  return "  against its parts alone, in the traced pass:\n" +
         table.to_string(table_indent, names_and_figures_width);
}

/// "best: copy-engine by chunked 1559 us; nccl by v-first 2040 us". `cells`: quickest first.
std::string best_schedules(const cells_of_scenario& cells, const run_record& run) {
  std::string text;
  std::set<std::string> named;
  for (const cell* each : cells) {
    const cell_key& key = each->key;
    if (!is_whole_stage(*each) || run.noise_floor_arm == key.arm || !named.insert(key.arm).second) {
      continue;
    }
    text += fmt::format("{}{} by {} {} us", text.empty() ? "best: " : "; ", key.arm, key.schedule,
                        figure(*each, "time_us"));
  }
  return wrap(text, table_indent, table_width);
}

/// A sentence for each reason why cells were not measured.
std::string reasons_of(const cells_of_scenario& cells, const run_record& run) {
  std::vector<std::pair<const cell*, std::string>> told;  // the first of its reason, and all names
  for (const cell* each : cells) {
    const std::string name = each->key.schedule + " " + what(*each, run);
    const auto same = std::ranges::find_if(told, [&](const auto& known) {
      return known.first->status == each->status && known.first->reason == each->reason;
    });
    if (same == told.end())
      told.emplace_back(each, name);
    else
      same->second += ", " + name;
  }
  std::string text;
  for (const auto& [first, names] : told) text += unmeasured(*first, names);
  return text;
}

std::string stages_of_scenario(cells_of_scenario cells, const run_record& run) {
  const cell_key key = cells.front()->key;
  const auto is_other = [](const cell* each) { return each->status != cell_status::measured; };
  cells_of_scenario others;
  std::ranges::copy_if(cells, std::back_inserter(others), is_other);
  std::erase_if(cells, is_other);
  std::ranges::stable_sort(cells, {}, time_or_infinity_us);

  std::string text = fmt::format("{}  {}  {}  U{}{}\n", key.command, key.shape, key.dtype,
                                 key.degree, is_simulated(key) ? "  simulated" : "");
  if (!cells.empty()) {
    text += measured_rows(cells, run) + best_schedules(cells, run) + compared_rows(cells, run);
  }
  return text + reasons_of(others, run);
}

/// "Kernels, GB/s of bytes read and written (% of a contiguous copy): copy 3912 (100); ..."
std::string kernel_line(const std::vector<kernel_rate>& rates) {
  std::string text;
  for (const kernel_rate& each : rates) {
    text += fmt::format("{}{} {} ({:.0f})", text.empty() ? "" : "; ", each.kernel,
                        compact(each.gbps), each.copy_share * 100);
  }
  return wrap("Kernels on rank 0, GB/s read and written (% of a contiguous copy): " + text + ".", 0,
              table_width);
}

/// The cells of each scenario together, scenarios in the order of their first cells.
std::vector<cells_of_scenario> stages_by_scenario(const report& of) {
  const auto scenario = [](const cell_key& key) {
    return std::tie(key.command, key.device, key.shape, key.dtype, key.degree);
  };
  std::vector<cells_of_scenario> scenarios;
  for (const cell& each : of.cells) {
    const auto found = std::ranges::find_if(scenarios, [&](const cells_of_scenario& cells) {
      return scenario(cells.front()->key) == scenario(each.key);
    });
    (found == scenarios.end() ? scenarios.emplace_back() : *found).push_back(&each);
  }
  return scenarios;
}

}  // namespace

std::string stage_table(const report& of) {
  std::string text = preamble(of);
  if (!of.kernels.empty()) text += kernel_line(of.kernels);
  const auto scenarios = stages_by_scenario(of);
  if (!scenarios.empty()) {
    text += wrap(
        fmt::format("{} of a stage; x compute: over the quickest computation alone. Of the traced "
                    "pass, in us: exposed (the stage but for its computation), hidden % of "
                    "the communication, V by norm (V's copies beside QK norm + RoPE).",
                    of.machine.device == simulated_device ? "Simulated times" : "Times"),
        0, table_width);
    text += '\n';
  }
  for (std::size_t at = 0; at < scenarios.size(); ++at) {
    if (at > 0) text += '\n';
    text += stages_of_scenario(scenarios[at], of.run);
  }
  return text;
}

}  // namespace ithaca::reports
