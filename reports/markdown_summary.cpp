#include "reports/markdown_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "reports/figures.hpp"
#include "reports/run_state.hpp"
#include "reports/table_parts.hpp"
#include "reports/verdict.hpp"
#include "reports/verdict_words.hpp"

namespace ithaca::reports {
namespace {

/// With what stands around them, about 60 lines.
constexpr std::size_t open_rows = 30;
/// A comment on GitHub may have 65536 characters.
constexpr std::size_t detailed_cells = 150;

/// `text` in a cell of a table: no marks of Markdown or HTML, and one line.
std::string plain(std::string_view text) {
  constexpr std::string_view marks = "\\`*_[]<>|~#&";
  std::string safe;
  for (const char each : text) {
    if (marks.find(each) != std::string_view::npos) safe += '\\';
    safe += each == '\n' ? ' ' : each;
  }
  return safe;
}

std::string mark_of(heed weight) {
  switch (weight) {
    case heed::bad:
      return "**Bad:** ";
    case heed::caution:
      return "**Caution:** ";
    case heed::good:
    case heed::plain:
      break;
  }
  return "";
}

std::string time_header(const report& of) {
  return of.machine.device == "cuda" ? "time, us"
                                     : fmt::format("time on the {} device, us", of.machine.device);
}

std::string verdict_row(const verdict& of, const run_record& run) {
  const std::string scenario = plain(scenario_name(of));
  if (of.best == nullptr) return fmt::format("| {} | - | - | {} |\n", scenario, sentence(of, run));
  return fmt::format("| {} | {} | {} | {} |\n", scenario, plain(choice_name(*of.best)),
                     figure(*of.best, "time_us"), plain(sentence(of, run)));
}

std::string verdict_rows(std::span<const verdict> judged, const report& of) {
  std::string text =
      fmt::format("| scenario | best arm | {} | beside {} |\n|---|---|---:|---|\n", time_header(of),
                  plain(of.run.reference_arm.value_or("the reference")));
  for (const verdict& each : judged) text += verdict_row(each, of.run);
  return text;
}

std::string folded(const std::string& heading, const std::string& content) {
  return fmt::format("\n<details>\n<summary>{}</summary>\n\n{}\n</details>\n", heading, content);
}

/// Every measured arm of a scenario, quickest first; of stages whole ones.
std::string arm_rows(const verdict& of, const report& in) {
  std::vector<const cell*> measured = of.cells;
  std::erase_if(measured, [](const cell* each) {
    return !is_whole(*each) || find_metric(*each, "time_us") == nullptr;
  });
  std::ranges::stable_sort(measured, {},
                           [](const cell* each) { return find_metric(*each, "time_us")->value; });
  if (measured.empty()) return "";
  std::string text = fmt::format(
      "{}\n\n| arm | {} | p5..p95 | goodput, GB/s | times as quick, 95 % | beside the reference "
      "|\n|---|---:|---:|---:|---:|---|\n",
      plain(scenario_name(of)), time_header(in));
  for (const cell* each : measured) {
    const bool is_reference = each == of.reference;
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", plain(choice_name(*each)),
                        figure(*each, "time_us"), spread(*each), figure(*each, "goodput_gbps"),
                        is_reference ? "-" : plain(speedup(*each)),
                        is_reference ? "is the reference" : to_string(beside_reference(*each, of)));
  }
  return text;
}

std::string all_arms(const std::vector<verdict>& judged, const report& of) {
  std::string text;
  std::size_t shown = 0;
  for (const verdict& each : judged) {
    shown += each.cells.size();
    if (shown > detailed_cells && !text.empty()) {
      return text + "\nMore are in the report.\n";
    }
    text += (text.empty() ? "" : "\n") + arm_rows(each, of);
  }
  return text;
}

std::string unmeasured_rows(const report& of) {
  std::vector<std::string> lines;
  for (const cell& each : of.cells) {
    if (each.status == cell_status::measured || each.status == cell_status::incomplete) continue;
    const std::string line = fmt::format("- {} {}: {}\n", plain(choice_name(each)),
                                         to_string(each.status), plain(each.reason.value_or("")));
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }
  return fmt::format("{}",
                     fmt::join(std::span(lines).first(std::min(lines.size(), open_rows)), ""));
}

std::string machine_line(const report& of) {
  std::string text = of.machine.gpus.empty()
                         ? fmt::format("the {} device", of.machine.device)
                         : fmt::format("{} x {}", of.machine.gpus.size(), of.machine.gpus[0].name);
  if (of.machine.driver) text += ", driver " + *of.machine.driver;
  if (of.machine.nccl) text += ", NCCL " + *of.machine.nccl;
  return fmt::format("{} ranks, {}; revision {}, started {}", of.run.ranks, plain(text),
                     plain(of.run.git_revision), of.run.started_at);
}

}  // namespace

std::string markdown_summary(const report& of) {
  const std::vector<verdict> judged = verdicts(of);
  std::string text = fmt::format("## Ithaca: {}\n\n**{}**\n\n{}.\n\n", plain(of.run.command),
                                 plain(headline(judged, of.run)), machine_line(of));
  for (const state_line& line : run_state(of, judged)) {
    text += fmt::format("- {}{}\n", mark_of(line.weight), plain(line.sentence));
  }
  const std::span<const verdict> all(judged);
  const std::size_t open = std::min(all.size(), open_rows);
  text += "\n" + verdict_rows(all.first(open), of);
  if (open < all.size()) {
    text += folded(fmt::format("{} more scenarios", all.size() - open),
                   verdict_rows(all.subspan(open), of));
  }
  text += folded("Every arm beside the reference", all_arms(judged, of));
  if (const std::string rows = unmeasured_rows(of); !rows.empty()) {
    text += folded("Skipped and refuted", rows);
  }
  return text + "\n";
}

}  // namespace ithaca::reports
