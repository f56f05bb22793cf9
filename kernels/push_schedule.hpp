#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "kernels/element_pattern.hpp"

/// How a push divides its regions into tiles, and in which order its blocks take them.
namespace ithaca::kernels {

/// The smallest and largest tile, in units; multiples of 32, so that the tiles of aligned rows
/// begin on lines of memory.
struct tile_limits {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};

/// Units a tile, so that `blocks` blocks get the same number of tiles each and none waits for a
/// last one: few bytes are spread over all blocks, many come in the largest tiles.
///
/// r rounds of `blocks` tiles hold `units` units in `regions` regions, each of whose last tiles may
/// be cut short, if a tile has units / (r blocks - regions) of them.
inline std::uint32_t balanced_tile_units(std::uint64_t units, std::uint64_t regions,
                                         std::uint64_t blocks, const tile_limits& limits) {
  const std::uint64_t rounds = (units / limits.most + regions) / blocks + 1;
  const std::uint64_t shares = std::max<std::uint64_t>(rounds * blocks - regions, 1);
  const std::uint64_t share = (units + shares - 1) / shares;
  const std::uint64_t rounded = (share + 31) / 32 * 32;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(rounded, limits.least, limits.most));
}

/// Tiles in an order in which any few in succession lie evenly spread over all of them: each is
/// `stride` after the one before, a golden section of the whole (whose multiples are spread more
/// evenly than those of any other: Knuth, "The Art of Computer Programming", vol. 3, 6.4).
struct tile_spread {
  std::uint32_t tiles = 0;   ///< < 2^31
  std::uint32_t stride = 1;  ///< coprime to `tiles`: every tile comes once
};

/// For `blocks` blocks. Where each gets one tile at most any order will do, and 1 saves divisions.
inline tile_spread spread_over(std::uint32_t tiles, std::uint32_t blocks) {
  if (tiles <= blocks) return {tiles, 1};
  constexpr std::uint64_t golden = 2'654'435'769;  // 2^32 / 1.618...
  auto stride = static_cast<std::uint32_t>((tiles * golden) >> 32);
  while (std::gcd(stride, tiles) != 1) ++stride;
  return {tiles, stride};
}

/// The tiles that block `block` of `blocks` takes of a spread, the blocks in turn.
class tile_walk {
 public:
  ITHACA_HOST_DEVICE tile_walk(const tile_spread& over, std::uint32_t block, std::uint32_t blocks)
      : tiles_(over.tiles), left_(block < over.tiles ? (over.tiles - block - 1) / blocks + 1 : 0) {
    if (left_ == 0) return;
    at_ = over.stride == 1 ? block : step(over.stride, block);
    if (left_ > 1) step_ = step(over.stride, blocks);
  }

  ITHACA_HOST_DEVICE std::uint32_t left() const { return left_; }  ///< tiles, `at()` included
  ITHACA_HOST_DEVICE std::uint32_t at() const { return at_; }
  ITHACA_HOST_DEVICE void next() {
    --left_;
    at_ += step_;
    if (at_ >= tiles_) at_ -= tiles_;
  }

 private:
  ITHACA_HOST_DEVICE std::uint32_t step(std::uint64_t stride, std::uint32_t visits) const {
    return static_cast<std::uint32_t>(stride * visits % tiles_);
  }

  std::uint32_t tiles_;
  std::uint32_t left_;
  std::uint32_t at_ = 0;
  std::uint32_t step_ = 0;
};

}  // namespace ithaca::kernels
