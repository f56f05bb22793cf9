#pragma once

#include <span>

#include "reports/merged_report.hpp"

namespace ithaca::reports {

/// Throws `std::invalid_argument`, naming both files and the place, unless the reports are those of
/// different launches of the same run.
void require_launches_of_one_run(std::span<const named_report> launches);

}  // namespace ithaca::reports
