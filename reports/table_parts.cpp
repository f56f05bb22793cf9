#include "reports/table_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/figures.hpp"
#include "reports/text_table.hpp"

namespace ithaca::reports {
namespace {

/// Of the scenarios in which a GPU held its clocks down.
std::string throttling(const telemetry& in) {
  std::string text;
  for (const scenario_telemetry& each : in.scenarios) {
    std::string words;
    if (each.discarded_rounds && !each.discarded_rounds->empty()) {
      const std::size_t count = each.discarded_rounds->size();
      words = fmt::format("{} {} discarded, since a GPU held its clocks down ({})", count,
                          count == 1 ? "round is" : "rounds are",
                          fmt::join(each.discarded_rounds->front().reasons, ", "));
    }
    if (each.throttling_note) words += (words.empty() ? "" : "; ") + *each.throttling_note;
    if (words.empty()) continue;
    text += wrap(fmt::format("{} {} U{}: {}.", each.shape, each.dtype, each.degree, words), 0,
                 table_width);
  }
  return text;
}

}  // namespace

std::string preamble(const report& of) {
  std::string text;
  if (of.run.note) text += wrap(*of.run.note, 0, table_width) + "\n";
  if (!of.run.complete) text += "The run is not complete.\n\n";
  if (const auto slowest = slowest_gbps(of.links)) {
    text += fmt::format("{} {:.1f} GB/s (slowest ordered pair{})",
                        of.machine.device == simulated_device ? "Simulated: ceiling" : "Ceiling",
                        *slowest, host_count(of.machine) > 1 ? " of one host" : "");
    if (of.links.handshake_us) text += fmt::format(", handshake {:.1f} us", *of.links.handshake_us);
    text += ".\n";
  }
  text += throttling(of.telemetry);
  return text;
}

std::string spread(const cell& of) {
  return fmt::format("{}..{}", figure(of, "time_p5_us"), figure(of, "time_p95_us"));
}

std::string speedup(const cell& of) {
  const metric* found = find_metric(of, "speedup");
  if (found == nullptr) return "-";
  if (!found->ci95) return fmt::format("{:.2f}", found->value);
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", found->value, found->ci95->low, found->ci95->high);
}

std::string unmeasured(const cell& of, const std::string& name) {
  constexpr std::size_t continued = 6;
  const std::string line =
      wrap(fmt::format("{}: {}: {}", name, to_string(of.status), of.reason.value_or("")), continued,
           table_width);
  return std::string(table_indent, ' ') + line.substr(continued);
}

}  // namespace ithaca::reports
