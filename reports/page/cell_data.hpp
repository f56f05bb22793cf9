#pragma once

#include "reports/cell.hpp"
#include "reports/json.hpp"

namespace ithaca::reports {

/// What the page shows of one cell; see `page_data`.
json cell_data(const cell& of);

}  // namespace ithaca::reports
