#pragma once

#include <span>
#include <string>

#include "reports/report.hpp"

namespace ithaca::reports {

/// A report and what people call it: its file.
struct named_report {
  std::string name;
  reports::report report;
};

/// One report of several launches of the same run: each cell's samples are those of the launches,
/// behind each other in the order given.
///
/// Throws `std::invalid_argument`, naming both files and the place, for reports that can't be
/// merged: fewer than two.
report merged_report(std::span<const named_report> launches);

}  // namespace ithaca::reports
