#include "reports/merge/merged_telemetry.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "reports/throttling.hpp"

namespace ithaca::reports {
namespace {

constexpr telemetry_column scenario_telemetry::*columns[] = {
    &scenario_telemetry::sm_mhz,
    &scenario_telemetry::memory_mhz,
    &scenario_telemetry::power_mw,
    &scenario_telemetry::temperature_c,
    &scenario_telemetry::nvlink_sent_bytes,
    &scenario_telemetry::nvlink_received_bytes};

bool is_of(const scenario_telemetry& one, const scenario_telemetry& other) {
  return one.shape == other.shape && one.dtype == other.dtype && one.degree == other.degree &&
         one.schedule == other.schedule;
}

/// Of the scenario's cells; those of one scenario have the same.
int rounds_of(const report& in, const scenario_telemetry& scenario) {
  std::size_t most = 0;
  for (const cell& each : in.cells) {
    if (each.key.shape == scenario.shape && each.key.dtype == scenario.dtype &&
        each.key.degree == scenario.degree) {
      most = std::max(most, each.samples.round_count());
    }
  }
  return static_cast<int>(most);
}

/// A column without a reading is not written: the rounds stand empty then.
void append(telemetry_column& to, const telemetry_column& more, int rounds_before, int rounds,
            std::size_t ranks) {
  to.resize(static_cast<std::size_t>(rounds_before),
            std::vector<std::optional<std::int64_t>>(ranks));
  to.insert(to.end(), more.begin(), more.end());
  to.resize(static_cast<std::size_t>(rounds_before + rounds),
            std::vector<std::optional<std::int64_t>>(ranks));
}

template <class Round>
void append_numbered_on(std::optional<std::vector<Round>>& to,
                        const std::optional<std::vector<Round>>& more, int rounds_before) {
  if (!more) return;
  if (!to) to.emplace();
  for (Round each : *more) {
    each.round += rounds_before;
    to->push_back(std::move(each));
  }
}

/// `rounds_before`: of the scenario in the launches before.
void append(scenario_telemetry& to, scenario_telemetry more, int rounds_before, int rounds,
            std::size_t ranks) {
  if (!more.discarded_rounds) settle_throttling(more, rounds);
  for (const auto column : columns) append(to.*column, more.*column, rounds_before, rounds, ranks);
  append_numbered_on(to.throttled, more.throttled, rounds_before);
  append_numbered_on(to.discarded_rounds, more.discarded_rounds, rounds_before);
  if (!to.throttling_note) to.throttling_note = more.throttling_note;
  const double so_far = std::abs(to.sm_drift_mhz.value_or(0));
  if (more.sm_drift_mhz && (!to.sm_drift_mhz || std::abs(*more.sm_drift_mhz) > so_far)) {
    to.sm_drift_mhz = more.sm_drift_mhz;
  }
}

void append(telemetry& to, const telemetry& more) {
  if (!to.not_readable) to.not_readable = more.not_readable;
  if (!to.warm_up || !more.warm_up) {
    to.warm_up.reset();
    return;
  }
  to.warm_up->settled = to.warm_up->settled && more.warm_up->settled;
  to.warm_up->after_ms = std::max(to.warm_up->after_ms, more.warm_up->after_ms);
}

}  // namespace

telemetry merged_telemetry(std::span<const named_report> launches) {
  telemetry merged = launches.front().report.telemetry;
  for (const named_report& each : launches.subspan(1)) append(merged, each.report.telemetry);
  for (scenario_telemetry& scenario : merged.scenarios) {
    scenario = {scenario.shape, scenario.dtype, scenario.degree, scenario.schedule};
    int rounds_before = 0;
    for (const named_report& each : launches) {
      const int rounds = rounds_of(each.report, scenario);
      for (const scenario_telemetry& theirs : each.report.telemetry.scenarios) {
        if (is_of(theirs, scenario)) {
          append(scenario, theirs, rounds_before, rounds, each.report.machine.ranks.size());
        }
      }
      rounds_before += rounds;
    }
  }
  return merged;
}

}  // namespace ithaca::reports
