#pragma once

#include <set>

#include "reports/cell.hpp"
#include "reports/json.hpp"

namespace ithaca::reports {

/// What the page shows of one cell; see `page_data`. Of its samples those count that are not of the
/// rounds `discarded`.
json cell_data(const cell& of, const std::set<int>& discarded);

}  // namespace ithaca::reports
