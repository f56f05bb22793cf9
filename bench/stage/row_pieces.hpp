#pragma once

#include <cstdint>
#include <vector>

#include "backend/head_layout.hpp"

namespace ithaca::bench {

/// `rows` in `pieces` consecutive ranges, each about `shrink` times the next one, so that little is
/// left to send when the last is computed. All but the first are multiples of 128 rows, a tile of a
/// matrix product, where there are enough. Throws `invalid_use` for more pieces than rows.
std::vector<index_range> shrinking_pieces(std::int64_t rows, int pieces, double shrink);

}  // namespace ithaca::bench
