#pragma once

#include <string>
#include <vector>

#include "reports/cell.hpp"
#include "reports/report.hpp"
#include "reports/statistics.hpp"

namespace ithaca::reports {

/// Two cells of one report whose ratio over the same rounds is a metric of the first.
struct paired_cells {
  std::string metric;          ///< "speedup", "over_compute" or "over_communication"
  const cell* of = nullptr;    ///< the cell that has the metric
  const cell* with = nullptr;  ///< what it is compared with: for the reference's speedup, itself
  /// The ratio in each round that counts, as the metric is defined.
  round_values ratios = {};
  bool is_comparison() const { return of != with; }
};

/// Every metric of the report that is a ratio of the same rounds (those with an interval), in the
/// order of its cells, with the cells that it was computed from. A report does not name them, but
/// their samples give them away: the ratio of their rounds is the metric's value.
/// Points into `in`. Throws `std::invalid_argument`, naming the place, for a metric that no cell's
/// samples give.
std::vector<paired_cells> find_paired_cells(const report& in);

}  // namespace ithaca::reports
