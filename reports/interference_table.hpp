#pragma once

#include <string>

#include "reports/report.hpp"

namespace ithaca::reports {

/// A report of interference for a terminal: for each scenario and computation a line for each arm,
/// with what the computation takes alone and beside the arm's exchanges, what an exchange takes
/// alone and beside the computation, and both ratios with their intervals.
std::string interference_table(const report& of);

}  // namespace ithaca::reports
