#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ithaca::bench {

/// The order of `cells` cells in each of `rounds` rounds, balanced for place and predecessor: over
/// a block of `cells` rounds each cell stands once in every place and, of an even number, once
/// behind every other one in its round (of an odd number: twice over two blocks), since what ran
/// before leaves a GPU warmer or cooler. Cells are shuffled anew for each block (of an odd number:
/// each two). The same seed gives the same order on every rank and machine.
///
/// E. J. Williams, "Experimental designs balanced for the estimation of residual effects of
/// treatments", Australian Journal of Scientific Research A 2 (1949).
std::vector<std::vector<std::size_t>> balanced_rounds(std::size_t cells, std::size_t rounds,
                                                      std::uint64_t seed);

}  // namespace ithaca::bench
