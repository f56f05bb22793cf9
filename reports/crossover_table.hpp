#pragma once

#include <string>

#include "reports/report.hpp"

namespace ithaca::reports {

/// The times of all measured arms over the shapes of a report (sizes, in the order of the report),
/// at most 120 columns wide, and which arm is quickest from where to where. Arms called "...-bare"
/// leave out packing and laying out: they have their row, but are never the quickest. One table for
/// each element type, degree and mode. Empty if nothing was measured.
std::string crossover_table(const report& of);

}  // namespace ithaca::reports
