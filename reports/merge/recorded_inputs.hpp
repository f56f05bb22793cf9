#pragma once

#include <span>
#include <vector>

#include "reports/cell.hpp"
#include "reports/cell_inputs.hpp"
#include "reports/telemetry.hpp"

namespace ithaca::reports {

/// A measured cell and its report's telemetry.
struct recorded_cell {
  const cell* of = nullptr;
  const telemetry* seen = nullptr;
};

/// What the metrics of a cell's launches were computed from, as far as the metrics themselves tell:
/// all but the samples, the seed and the ceiling. What is measured once a launch is the median.
cell_inputs recorded_inputs(std::span<const recorded_cell> launches);

}  // namespace ithaca::reports
