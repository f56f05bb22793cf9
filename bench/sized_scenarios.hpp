#pragma once

#include <vector>

#include "bench/scenario.hpp"
#include "bench/size_sweep.hpp"

namespace ithaca::bench {

/// A scenario for each size, element type and degree: heads of 128 channels, as many as fill a
/// row, and the tokens that come nearest to the size from below, at least one a rank. It is named
/// by the bytes that it really moves, and stands there once. Throws `invalid_use` if a row is no
/// multiple of 128 elements of a type.
std::vector<scenario> scenarios_of(const size_sweep& sweep, const std::vector<element_type>& types,
                                   const std::vector<int>& degrees, direction way);

}  // namespace ithaca::bench
