#include <fmt/format.h>

#include <string_view>

#include "reports/gate/writers.hpp"

namespace ithaca::reports::gate {
namespace {

std::string_view level(finding_kind of) {
  switch (of) {
    case finding_kind::invalid:
    case finding_kind::worse:
      return "error";
    case finding_kind::ambiguous:
      return "warning";
    default:
      return "notice";
  }
}

/// What would end a workflow command or one of its properties.
std::string escaped(std::string_view text, bool is_property) {
  std::string to;
  for (const char each : text) {
    const bool ends_property = is_property && (each == ':' || each == ',');
    if (each == '%' || each == '\r' || each == '\n' || ends_property)
      to += fmt::format("%{:02X}", static_cast<unsigned char>(each));
    else
      to += each;
  }
  return to;
}

std::string command(std::string_view at, std::string_view title, std::string_view message) {
  return fmt::format("::{} title={}::{}\n", at, escaped(title, true), escaped(message, false));
}

}  // namespace

std::string as_github(const result& of) {
  std::string text;
  for (const finding& each : of.findings) {
    const std::string title =
        each.cell ? fmt::format("{} {}", to_string(*each.cell), each.what) : "ithaca-gate";
    text +=
        command(level(each.kind), title, fmt::format("{}: {}", to_string(each.kind), each.message));
  }
  const verdict came_to = verdict_of(of);
  const char* at = came_to == verdict::pass        ? "notice"
                   : came_to == verdict::ambiguous ? "warning"
                                                   : "error";
  return text + command(at, "ithaca-gate",
                        fmt::format("{}: {} ratios and {} counts against {}", to_string(came_to),
                                    of.comparisons.size(), of.counts_compared, of.baseline));
}

}  // namespace ithaca::reports::gate
