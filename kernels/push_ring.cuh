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

/// One end of a tile: its bytes in rows `pitch` apart, the run as this end sees it.
struct ring_end {
  std::uint64_t first_row;  // an address
  std::uint64_t pitch;
  row_run run;

  /// Calls `move(address, offset, bytes)` for this lane's parts.
  template <class Move>
  __device__ __forceinline__ void for_parts(unsigned lane, const Move& move) const {
    for (std::uint64_t row = lane; run.has(row); row += warpSize) {
      const row_part part = run.part(row);
      move(first_row + row * pitch + part.column, part.offset, part.bytes);
    }
  }
};

/// What a stage holds.
struct ring_tile {
  ring_end source;
  ring_end target;
  std::uint32_t bytes;
};

template <class Table>
__device__ __forceinline__ ring_tile ring_tile_of(const Table& table, std::uint32_t index) {
  const region_tile tile = tile_of(table, index);
  const region_entry& entry = tile.entry;
  const std::uint32_t bytes = tile.count * 16;
  const unit_position start = position_of(tile.first, entry.width / 16);
  const auto end_at = [&](const void* data, std::uint64_t pitch) -> ring_end {
    const std::uint64_t first_row = reinterpret_cast<std::uint64_t>(data) + start.row * pitch;
    const std::uint64_t skip = start.column * 16;
    // Rows without gaps are one, and move at once: in an exchange one end of the two has such.
    if (pitch == entry.width) return {first_row + skip, bytes, {bytes, 0, bytes}};
    return {first_row, pitch, {entry.width, skip, bytes}};
  };
  return {end_at(entry.source, entry.source_pitch), end_at(entry.target, entry.target_pitch),
          bytes};
}

/// `stages` of `stage_bytes` each, for one warp. At most `unread` of them wait to be read by stores
/// while the others are being loaded.
template <unsigned stages, unsigned stage_bytes, unsigned unread>
struct push_ring {
  static_assert(unread > 0 && unread < stages && stages <= 32 && stage_bytes % 512 == 0);
  static constexpr std::size_t bytes = std::size_t{stages} * stage_bytes;
  static constexpr unsigned ahead = stages - unread;

  struct control {
    std::uint64_t full[stages];  // barriers
    /// Located by all lanes together, 32 at a time: the divisions would hold up the ring. Those in
    /// the stages are of these 32 or of the 32 before.
    ring_tile tiles[64];
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

    const std::uint32_t count = tile_walk(spread, blockIdx.x, gridDim.x).left();
    tile_walk walk(spread, blockIdx.x + lane * gridDim.x, warpSize * gridDim.x);
    const auto locate_next = [&](std::uint32_t number) {
      if (walk.left() > 0) {
        shared.tiles[(number + lane) % 64] = ring_tile_of(table, walk.at());
        walk.next();
      }
      __syncwarp();
    };
    const auto load = [&](std::uint32_t number) {
      if (number % 32 == 0) locate_next(number);
      unsigned char* const stage = ring + number % stages * stage_bytes;
      std::uint64_t* const full = &shared.full[number % stages];
      const ring_tile& tile = shared.tiles[number % 64];
      if (lane == 0) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                       tile.bytes);
      }
      __syncwarp();
      tile.source.for_parts(lane, [&](std::uint64_t from, std::uint32_t at, std::uint32_t size) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage + at,
                           reinterpret_cast<const void*>(from), size, full);
      });
    };
    const auto store = [&](std::uint32_t number) {
      const unsigned char* const stage = ring + number % stages * stage_bytes;
      std::uint64_t* const full = &shared.full[number % stages];
      while (!ptx::mbarrier_try_wait_parity(full, number / stages % 2)) {
      }
      const ring_tile& tile = shared.tiles[number % 64];
      tile.target.for_parts(lane, [&](std::uint64_t to, std::uint32_t at, std::uint32_t size) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, reinterpret_cast<void*>(to),
                           stage + at, size);
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
