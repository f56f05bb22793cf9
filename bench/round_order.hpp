#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ithaca::bench {

/// The order of `cells` cells in each of `rounds` rounds. Cells are shuffled anew every `cells`
/// rounds and rotated by one place from round to round within, so that over such a block each
/// cell stands once in every place. The same seed gives the same order on every rank and machine.
std::vector<std::vector<std::size_t>> balanced_rounds(std::size_t cells, std::size_t rounds,
                                                      std::uint64_t seed);

}  // namespace ithaca::bench
