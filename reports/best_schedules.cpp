#include "reports/best_schedules.hpp"

#include <algorithm>

#include "reports/figures.hpp"

namespace ithaca::reports {
namespace {

/// A cell that stands for its arm and scenario, whatever the schedule.
cell_key without_schedule(cell_key key) {
  key.schedule.clear();
  return key;
}

}  // namespace

std::vector<cell_key> best_schedules(const report& of) {
  std::vector<const cell*> best;
  for (const cell& each : of.cells) {
    const metric* const time = find_metric(each, "time_us");
    if (each.key.mode != "isolated" || each.key.schedule == "exchange" || time == nullptr ||
        of.run.noise_floor_arm == each.key.arm) {
      continue;
    }
    const auto same = std::ranges::find_if(best, [&](const cell* known) {
      return without_schedule(known->key) == without_schedule(each.key);
    });
    if (same == best.end())
      best.push_back(&each);
    else if (time->value < find_metric(**same, "time_us")->value)
      *same = &each;
  }
  std::vector<cell_key> keys;
  for (const cell* each : best) keys.push_back(each->key);
  return keys;
}

}  // namespace ithaca::reports
