#pragma once

#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "reports/telemetry.hpp"

namespace ithaca::bench {

/// What the cells of a campaign are compared with.
struct comparison_rules {
  std::string reference_arm;
  std::string reference_schedule = {};  ///< empty: each cell's own
  /// Whether cells differ in their schedule as arms do, so that any computation alone is one for
  /// all.
  bool compares_schedules = false;
};

/// Refutes the cells whose bytes or order were wrong, then gives all that are left, and judged,
/// their metrics: beside the reference arm, the quickest computation alone and the exchange alone,
/// over the rounds that count.
void finish_cells(std::vector<measurement>& cells, const comparison_rules& rules,
                  const reports::telemetry& telemetry);

}  // namespace ithaca::bench
