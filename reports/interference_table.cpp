#include "reports/interference_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/figures.hpp"
#include "reports/table_parts.hpp"
#include "reports/text_table.hpp"

namespace ithaca::reports {
namespace {

/// The cell of the same scenario and computation with that arm and mode; null if there is none.
const cell* beside(const report& of, cell_key key, std::string_view arm, std::string_view mode) {
  key.arm = arm;
  key.mode = mode;
  const auto found = std::ranges::find(of.cells, key, &cell::key);
  return found == of.cells.end() ? nullptr : &*found;
}

std::string time_text(const cell* of) { return of ? figure(*of, "time_us") : "-"; }

std::string ratio(const cell* of, const std::string& name) {
  const metric* const found = of ? find_metric(*of, name) : nullptr;
  if (found == nullptr) return "-";
  if (!found->ci95) return fmt::format("{:.3f}", found->value);
  return fmt::format("{:.3f} [{:.3f}, {:.3f}]", found->value, found->ci95->low, found->ci95->high);
}

std::string sms_held(const cell& of) {
  return of.overlap && of.overlap->sms_held ? fmt::format("{:.0f}", *of.overlap->sms_held) : "-";
}

/// One scenario beside one computation, by the first of its cells.
std::string part(const report& of, const cell_key& key) {
  text_table table({"arm", key.schedule + " us", "beside us", "slower [95 %]", "exchange us",
                    "beside us", "slower [95 %]", "SMs"});
  std::string others;
  for (const cell& each : of.cells) {
    if (!each.key.same_scenario(key)) continue;
    if (each.status != cell_status::measured) {
      others += unmeasured(each, each.key.arm);
      continue;
    }
    const cell* const exchange = beside(of, each.key, each.key.arm, exchange_beside_mode);
    table.add_row({each.key.arm + (of.run.noise_floor_arm == each.key.arm ? " (A/A)" : ""),
                   time_text(beside(of, each.key, "none", compute_only_mode)),
                   figure(each, "time_us"), ratio(&each, "over_compute"),
                   time_text(beside(of, each.key, each.key.arm, communication_only_mode)),
                   time_text(exchange), ratio(exchange, "over_communication"), sms_held(each)});
  }
  return fmt::format("{}  {}  {}  U{}  beside {}\n", key.command, key.shape, key.dtype, key.degree,
                     key.schedule) +
         table.to_string(table_indent, table_width) + others;
}

}  // namespace

std::string interference_table(const report& of) {
  std::string text = preamble(of);
  std::vector<cell_key> shown;
  for (const cell& each : of.cells) {
    const auto same = [&](const cell_key& known) { return known.same_scenario(each.key); };
    if (each.key.mode != isolated_mode || std::ranges::any_of(shown, same)) continue;
    shown.push_back(each.key);
    text += "\n" + part(of, each.key);
  }
  return text;
}

}  // namespace ithaca::reports
