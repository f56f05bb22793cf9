#pragma once

#include <string>

#include "reports/cell.hpp"

namespace ithaca::reports {

/// A number for a table: four significant digits or so, and never more than a column can take.
std::string compact(double value);

/// Null if the cell has no such metric.
const metric* find_metric(const cell& of, const std::string& name);

/// The metric's value, times `scale`, as `compact` writes it; "-" if the cell has none.
std::string figure(const cell& of, const std::string& name, double scale = 1);

}  // namespace ithaca::reports
