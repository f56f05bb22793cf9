#pragma once

#include <span>
#include <string>
#include <vector>

#include "reports/cell.hpp"

namespace ithaca::reports {

/// One launch's cell, and what people call the launch; null if it has no such cell.
struct launch_cell {
  std::string launch;
  const cell* of = nullptr;
};

/// The cell of all launches, without metrics: incomplete without a reason where these are due.
cell merged_cell(const cell_key& key, std::span<const launch_cell> launches);

}  // namespace ithaca::reports
