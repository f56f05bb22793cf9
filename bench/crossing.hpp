#pragma once

#include <cstddef>
#include <span>

namespace ithaca::bench {

/// How long two ways to move the same bytes took.
struct compared_times {
  double bytes = 0;
  double first_ns = 0;
  double second_ns = 0;
};

/// Up to how many bytes the first way is the quicker one, by times at growing sizes: between the
/// last size that it wins and the next one, the crossing of straight lines over the logarithms of
/// size and time. 0 where it does not win at the least size, or nothing was measured; the largest
/// size where it always wins. What comes behind the first defeat does not count.
std::size_t crossing_bytes(std::span<const compared_times> by_size);

}  // namespace ithaca::bench
