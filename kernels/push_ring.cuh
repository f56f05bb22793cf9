#pragma once

#include <cuda_awbarrier_primitives.h>

#include <cstdint>
#include <cuda/ptx>

#include "kernels/push_schedule.hpp"
#include "kernels/region_table.cuh"
#include "kernels/row_parts.hpp"

/// Tiles of vectors through a ring of stages in shared memory: one bulk copy fetches each part of a
/// row into a stage, another stores it from there, and both complete on their own. Needs sm_90.
namespace ithaca::kernels {

/// What a stage holds.
struct ring_tile {
  const unsigned char* source;  // of its first row, as `target`
  unsigned char* target;
  std::uint64_t source_pitch;
  std::uint64_t target_pitch;
  row_run run;

  /// Calls `move(row, part)` for this lane's parts.
  template <class Move>
  __device__ __forceinline__ void for_parts(unsigned lane, const Move& move) const {
    for (std::uint64_t row = lane; run.has(row); row += warpSize) move(row, run.part(row));
  }
};

template <class Table>
__device__ __forceinline__ ring_tile ring_tile_of(const Table& table, std::uint32_t index) {
  const region_tile tile = tile_of(table, index);
  const region_entry& entry = tile.entry;
  const unit_position start = position_of(tile.first, entry.width / 16);
  return {entry.source + start.row * entry.source_pitch,
          entry.target + start.row * entry.target_pitch,
          entry.source_pitch,
          entry.target_pitch,
          {entry.width, start.column * 16, tile.count * 16}};
}

/// `stages` of `stage_bytes` each, for one warp. At most `unread` of them wait to be read by stores
/// while the others are being loaded.
template <unsigned stages, unsigned stage_bytes, unsigned unread>
struct push_ring {
  static_assert(unread > 0 && unread < stages && stage_bytes % 512 == 0);
  static constexpr std::size_t bytes = std::size_t{stages} * stage_bytes;
  static constexpr unsigned ahead = stages - unread;

  struct control {
    std::uint64_t full[stages];  // barriers
    ring_tile tiles[stages];
  };

  /// By one whole warp: the block's share of the spread's tiles, all of vectors.
  template <class Table>
  __device__ static void push(const Table& table, const tile_spread& spread, unsigned char* ring,
                              control& shared) {
#if __CUDA_ARCH__ >= 900
    namespace ptx = cuda::ptx;
    const unsigned lane = threadIdx.x % warpSize;
    if (lane == 0) {
      for (std::uint64_t& barrier : shared.full) __mbarrier_init(&barrier, 1);
      ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncwarp();

    tile_walk walk(spread, blockIdx.x, gridDim.x);
    const std::uint32_t count = walk.left();
    const auto load = [&](std::uint32_t number) {
      const unsigned stage = number % stages;
      const ring_tile tile = ring_tile_of(table, walk.at());
      walk.next();
      if (lane == 0) {
        shared.tiles[stage] = tile;
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &shared.full[stage], tile.run.bytes);
      }
      __syncwarp();
      tile.for_parts(lane, [&](std::uint64_t row, const row_part& part) {
        ptx::cp_async_bulk(
            ptx::space_cluster, ptx::space_global, ring + stage * stage_bytes + part.offset,
            tile.source + row * tile.source_pitch + part.column, part.bytes, &shared.full[stage]);
      });
    };
    const auto store = [&](std::uint32_t number) {
      const unsigned stage = number % stages;
      while (!ptx::mbarrier_try_wait_parity(&shared.full[stage], number / stages % 2)) {
      }
      const ring_tile tile = shared.tiles[stage];
      tile.for_parts(lane, [&](std::uint64_t row, const row_part& part) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared,
                           tile.target + row * tile.target_pitch + part.column,
                           ring + stage * stage_bytes + part.offset, part.bytes);
      });
      ptx::cp_async_bulk_commit_group();
    };

    for (std::uint32_t number = 0; number < min(ahead, count); ++number) load(number);
    for (std::uint32_t number = 0; number < count; ++number) {
      store(number);
      if (number + ahead >= count) continue;
      // The next load's stage is that of the store `unread` before this one.
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<unread>());
      __syncwarp();
      load(number + ahead);
    }
    // Written, not only read; then visible at the peer before whatever this stream does next.
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    ptx::fence_proxy_async();
    __threadfence_system();
#else
    __trap();  // the launcher refuses; never a push that moves nothing
#endif
  }
};

}  // namespace ithaca::kernels
