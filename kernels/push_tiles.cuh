#pragma once

#include <cstdint>
#include <vector>

#include "kernels/push_schedule.hpp"
#include "kernels/region_table.cuh"

namespace ithaca::kernels {

/// By all threads of a block: its share of the tiles that follow `first_tile`.
template <unsigned threads, unsigned units, class Table, class BeforeStores = store_at_once>
__device__ __forceinline__ void push_tiles(const Table& table, std::uint32_t first_tile,
                                           const tile_spread& spread,
                                           const BeforeStores& before_stores = {}) {
  for (tile_walk walk(spread, blockIdx.x, gridDim.x); walk.left() > 0; walk.next()) {
    move_tile<threads, units>(table, first_tile + walk.at(), before_stores);
  }
}

inline std::uint32_t push_tile_units(const std::vector<copy_region>& regions, int ctas,
                                     const tile_limits& limits) {
  std::uint64_t units = 0;
  for (const copy_region& region : regions) units += units_of(region);
  return balanced_tile_units(units, regions.size(), static_cast<std::uint64_t>(ctas), limits);
}

}  // namespace ithaca::kernels
