#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/cell_key.hpp"
#include "reports/metrics.hpp"
#include "reports/report.hpp"

namespace ithaca::reports::gate {

/// A metric that a gate compares.
struct gated_metric {
  std::string_view name;
  better direction;
  bool absolute;  ///< a time, which another machine does not share; else a ratio of the same rounds
};

/// All of them: "speedup", "over_compute", "over_communication", and "time_us".
const std::vector<gated_metric>& gated_metrics();
/// Throws `std::invalid_argument`, naming near ones, for a name that is none of them.
const gated_metric& gated_metric_of(const std::string& name);

/// One metric of one cell, as a run saw it.
struct observation {
  cell_key key;
  std::string metric;
  double log_value = 0;
  std::optional<double> log_error = std::nullopt;  ///< `log_standard_error`
  int rounds = 0;                                  ///< that count, of all launches
  int launches = 0;
};

/// Every gated metric of every measured cell, in the order of the cells; none of a cell that is
/// compared with itself. Throws `std::invalid_argument`, naming the place, for a ratio that is not
/// that of its rounds.
std::vector<observation> observe(const report& in);

}  // namespace ithaca::reports::gate
