#pragma once

#include <span>

#include "reports/json.hpp"
#include "reports/report.hpp"

namespace ithaca::reports {

/// What the page shows of some reports, reduced to that: of each the verdicts and the run's state
/// in words, machine and run as the report has them, and of each cell its figures, quantiles of its
/// samples (5, 25, 50, 75 and 95 %, in us) and the medians of its rounds (of more than 100, of as
/// many stretches of rounds). Cells refer to each other by their places in the report.
json page_data(std::span<const report> reports);

}  // namespace ithaca::reports
