#pragma once

#include <vector>

#include "reports/cell_key.hpp"
#include "reports/gate/exact_counts.hpp"
#include "reports/gate/finding.hpp"

namespace ithaca::reports::gate {

/// Every count that is not as expected: more is worse, fewer an improvement. One that is not there
/// is 0.
std::vector<finding> compare_counts(const cell_key& of, const exact_counts& seen,
                                    const exact_counts& expected);

}  // namespace ithaca::reports::gate
