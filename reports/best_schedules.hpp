#pragma once

#include <string>
#include <vector>

#include "reports/cell_key.hpp"
#include "reports/report.hpp"

namespace ithaca::reports {

/// The cells of stages that took the least time, each of one scenario and arm, in the report's
/// order: an arm's best schedule there. Without the reference's second self.
std::vector<cell_key> best_schedules(const report& of);

}  // namespace ithaca::reports
