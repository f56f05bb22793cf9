#pragma once

#include <string>

#include "reports/report.hpp"

namespace ithaca::reports {

/// A report for a terminal, at most 120 columns wide: for each scenario (shape, dtype, degree,
/// schedule, mode) a line for each measured arm, a sentence for each other arm, and the noise
/// floor; first of all what a reader must know before believing a time.
std::string summary_table(const report& of);

}  // namespace ithaca::reports
