#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/json.hpp"

namespace ithaca::reports {

/// Readings of one kind by round, then by rank; empty where that rank's GPU did not say.
using telemetry_column = std::vector<std::vector<std::optional<std::int64_t>>>;

/// A round in which a GPU held its clocks down: its samples are suspect, of all arms alike.
struct throttled_round {
  int round = 0;
  int rank = 0;
  std::vector<std::string> reasons;
  bool operator==(const throttled_round&) const = default;
};

/// A round whose samples count for no arm's metrics, and why. They stay among the samples.
struct discarded_round {
  int round = 0;
  std::vector<std::string> reasons;
  bool operator==(const discarded_round&) const = default;
};

/// What the GPUs said of themselves in the rounds of one scenario, read at the end of each, outside
/// the samples. Rounds are those of the cells' samples, in the same order. A column without a
/// single reading is written as null.
struct scenario_telemetry {
  std::string shape;
  std::string dtype;
  int degree = 0;
  std::string schedule;
  telemetry_column sm_mhz = {};
  telemetry_column memory_mhz = {};
  telemetry_column power_mw = {};
  telemetry_column temperature_c = {};
  /// Payload over all NVLinks of the GPU since the end of the round before (the first: since right
  /// before it), whatever arm or program moved it.
  telemetry_column nvlink_sent_bytes = {};
  telemetry_column nvlink_received_bytes = {};
  /// Empty (null) if no GPU says whether it throttles.
  std::optional<std::vector<throttled_round>> throttled = std::nullopt;
  /// As `settle_throttling` decided; empty (not written) where nothing was decided, as in reports
  /// from before there was such a decision: then every round counts.
  std::optional<std::vector<discarded_round>> discarded_rounds = std::nullopt;
  /// Why rounds with throttling were kept; not written where there were none.
  std::optional<std::string> throttling_note = std::nullopt;
  /// How far the SM clock moved from the first round that counts to the last, the median of all
  /// ranks; not written where no clock is known.
  std::optional<double> sm_drift_mhz = std::nullopt;
  bool operator==(const scenario_telemetry&) const = default;
};

/// Exchanges before the first sample, until every rank's SM clock is steady.
struct clock_warm_up {
  bool settled = false;  ///< false: it was given up
  int after_ms = 0;
  bool operator==(const clock_warm_up&) const = default;
};

/// Clocks, power and NVLink counters beside the samples.
struct telemetry {
  /// Why some or all ranks' GPUs could not be read; empty if all could.
  std::optional<std::string> not_readable = std::nullopt;
  /// Empty if no clock could be watched, or nothing was measured.
  std::optional<clock_warm_up> warm_up = std::nullopt;
  std::vector<scenario_telemetry> scenarios = {};
  bool operator==(const telemetry&) const = default;
};

json to_json(const telemetry& from);
/// Throws `std::invalid_argument`, naming `place`, for what is no telemetry.
telemetry telemetry_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
