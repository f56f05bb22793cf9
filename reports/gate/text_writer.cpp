#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "reports/gate/writers.hpp"

namespace ithaca::reports::gate {
namespace {

constexpr std::size_t most_noisy_lines = 5;

std::string_view colour_of(verdict of) {
  switch (of) {
    case verdict::pass:
      return "\x1b[32m";
    case verdict::ambiguous:
      return "\x1b[33m";
    default:
      return "\x1b[31m";
  }
}

std::string headline(const result& of, bool colour) {
  const verdict came_to = verdict_of(of);
  const std::string word(to_string(came_to));
  const std::string shown = colour ? fmt::format("{}{}\x1b[0m", colour_of(came_to), word) : word;
  return fmt::format("{}: {} ratios and {} counts against {}\n", shown, of.comparisons.size(),
                     of.counts_compared, of.baseline);
}

std::string line(const finding& of) {
  std::string where = of.cell ? to_string(*of.cell) + " " : "";
  if (!of.what.empty()) where += of.what + " ";
  return fmt::format("  {}: {}{}\n", to_string(of.kind), where, of.message);
}

/// All but those that are too noisy, which are many where there are any.
std::string lines(const std::vector<finding>& all) {
  std::string text;
  std::size_t noisy = 0;
  for (const finding& each : all) {
    if (each.kind == finding_kind::too_noisy && ++noisy > most_noisy_lines) continue;
    text += line(each);
  }
  if (noisy > most_noisy_lines) {
    text +=
        fmt::format("  too noisy: {} more, which --format json names\n", noisy - most_noisy_lines);
  }
  return text;
}

std::string noise_floors(const std::vector<noise_floor>& all) {
  std::string text;
  for (const noise_floor& each : all) {
    text += fmt::format("  {}: {:.3f} to {:.3f}\n", to_string(each.key), each.speedup.low,
                        each.speedup.high);
  }
  return text.empty() ? text : "A/A, the reference again, times as fast as itself:\n" + text;
}

std::string sensitivity(const std::vector<comparison>& all) {
  if (all.empty()) return "";
  std::vector<double> slowdowns;
  for (const comparison& each : all) slowdowns.push_back(each.expected.detectable_slowdown);
  std::ranges::sort(slowdowns);
  const auto five_percent = std::ranges::upper_bound(slowdowns, 0.05) - slowdowns.begin();
  return fmt::format(
      "Slowdowns that would show: from {:.1f} %, median {:.1f} %, at worst {:.0f} %; one of 5 % in "
      "{} "
      "of {} ratios\n",
      slowdowns.front() * 100, slowdowns[slowdowns.size() / 2] * 100, slowdowns.back() * 100,
      five_percent, slowdowns.size());
}

}  // namespace

std::string as_text(const result& of, text_style style) {
  const std::string first = headline(of, style.colour);
  if (style.quiet) return first;
  return first + lines(of.findings) + noise_floors(of.noise_floors) + sensitivity(of.comparisons);
}

}  // namespace ithaca::reports::gate
