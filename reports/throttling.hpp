#pragma once

#include <set>

#include "reports/cell_inputs.hpp"
#include "reports/cell_key.hpp"
#include "reports/telemetry.hpp"

namespace ithaca::reports {

/// Decides which of a scenario's `rounds` rounds are discarded for all arms because a GPU held its
/// clocks down, and says how far the clocks moved over those that are kept: sets
/// `discarded_rounds`, `throttling_note` and `sm_drift_mhz`. What no GPU could be asked stays
/// empty.
///
/// Any reason but the power cap, on any rank, discards the round. The power cap does where fewer
/// than half of the rounds have it: an excursion. Where half or more have it, it is the state that
/// was measured, and the note says so. If less than three rounds, or less than half, would be left,
/// nothing is discarded, and the note says so.
void settle_throttling(scenario_telemetry& of, int rounds);

/// The numbers of the rounds that were discarded.
std::set<int> discarded(const scenario_telemetry& of);

/// The numbers of the rounds that count for no cell of the scenario of `key`.
std::set<int> discarded(const telemetry& in, const cell_key& key);

/// The same inputs, of the rounds that count.
cell_inputs without_discarded(cell_inputs of, const cell_key& key, const telemetry& in);

}  // namespace ithaca::reports
