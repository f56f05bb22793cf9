#include <algorithm>
#include <cstddef>
#include <limits>

#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/row_tiles.hpp"

namespace ithaca::kernels {

struct region_entry {
  const unsigned char* source;
  unsigned char* target;
  std::uint64_t source_pitch;
  std::uint64_t target_pitch;
  std::uint64_t width;
  std::uint64_t height;
  std::uint32_t row_reciprocal;
  std::uint32_t first_tile;

  __host__ __device__ bool vectors() const {
    return (reinterpret_cast<std::uintptr_t>(source) | reinterpret_cast<std::uintptr_t>(target) |
            source_pitch | target_pitch | width) %
               16 ==
           0;
  }
};

template <std::size_t capacity>
struct region_table {
  static constexpr std::size_t max_count = capacity;
  std::uint32_t count;
  std::uint32_t tiles;
  region_entry entries[capacity];
};
// A table's size is paid at every launch, so the usual few regions have one of their own.
using small_region_table = region_table<32>;
using large_region_table = region_table<max_copy_regions>;
static_assert(sizeof(large_region_table) <= 32764, "the limit of kernel parameters");

namespace {

template <class Unit>
__device__ __forceinline__ void move_tile(const region_entry& entry, std::uint32_t tile) {
  const std::uint64_t row_units = entry.width / sizeof(Unit);
  const std::uint64_t left = row_units * entry.height - std::uint64_t{tile} * tile_units;
  const unit_position start = tile_start(tile, row_units);

  // All loads first, so that they are in flight together.
  Unit values[units_per_thread] = {};
  Unit* targets[units_per_thread];
#pragma unroll
  for (unsigned i = 0; i < units_per_thread; ++i) {
    const unsigned offset = i * tile_threads + threadIdx.x;
    const unit_position at = locate(start, offset, row_units, entry.row_reciprocal);
    const std::uint64_t column_bytes = at.column * sizeof(Unit);
    targets[i] = reinterpret_cast<Unit*>(entry.target + at.row * entry.target_pitch + column_bytes);
    if (offset < left) {
      values[i] =
          *reinterpret_cast<const Unit*>(entry.source + at.row * entry.source_pitch + column_bytes);
    }
  }
#pragma unroll
  for (unsigned i = 0; i < units_per_thread; ++i) {
    if (i * tile_threads + threadIdx.x < left) *targets[i] = values[i];
  }
}

template <class Table>
__device__ __forceinline__ void move_tile_of(const Table& table, std::uint32_t index) {
  const region_entry& entry = table.entries[find_entry(table, index)];
  const std::uint32_t tile = index - entry.first_tile;
  if (entry.vectors()) {
    move_tile<ulonglong2>(entry, tile);
  } else {
    move_tile<unsigned char>(entry, tile);
  }
}

/// A block for each tile.
template <class Table>
__device__ __forceinline__ void move_regions(const Table& table) {
  move_tile_of(table, blockIdx.x);
}

/// All tiles by the few blocks that there are, in their order: they keep off the other SMs.
template <class Table>
__device__ __forceinline__ void move_regions_with_few_blocks(const Table& table) {
  for (std::uint32_t index = blockIdx.x; index < table.tiles; index += gridDim.x) {
    move_tile_of(table, index);
  }
}

}  // namespace

// Overloads, not templates: a profiler shows the plain name.
__global__ void __launch_bounds__(tile_threads)
    pack_kernel(const __grid_constant__ small_region_table table) {
  move_regions(table);
}
__global__ void __launch_bounds__(tile_threads)
    pack_kernel(const __grid_constant__ large_region_table table) {
  move_regions(table);
}
__global__ void __launch_bounds__(tile_threads)
    relayout_kernel(const __grid_constant__ small_region_table table) {
  move_regions(table);
}
__global__ void __launch_bounds__(tile_threads)
    relayout_kernel(const __grid_constant__ large_region_table table) {
  move_regions(table);
}
__global__ void __launch_bounds__(tile_threads)
    push_kernel(const __grid_constant__ small_region_table table) {
  move_regions_with_few_blocks(table);
}
__global__ void __launch_bounds__(tile_threads)
    push_kernel(const __grid_constant__ large_region_table table) {
  move_regions_with_few_blocks(table);
}

namespace {

/// `most_blocks` 0: a block for each tile.
template <class Table>
void launch_with(const char* name, void (*kernel)(Table), const std::vector<copy_region>& regions,
                 std::uint64_t most_blocks, void* native_stream) {
  Table table = {};
  std::uint64_t tiles = 0;
  for (const copy_region& region : regions) {
    region_entry& entry = table.entries[table.count++];
    entry.source = reinterpret_cast<const unsigned char*>(region.source);
    entry.target = reinterpret_cast<unsigned char*>(region.target);
    entry.source_pitch = region.source_pitch;
    entry.target_pitch = region.target_pitch;
    entry.width = region.width;
    entry.height = region.height;
    const std::uint64_t row_units = entry.vectors() ? region.width / 16 : region.width;
    entry.row_reciprocal = row_reciprocal(row_units);
    // Truncated only where the number of blocks is refused anyway.
    entry.first_tile = static_cast<std::uint32_t>(tiles);
    tiles += tile_count(row_units * region.height);
  }
  if (tiles == 0) return;
  if (tiles > std::numeric_limits<std::uint32_t>::max()) {
    throw launch_error(std::string(name) + ": too many bytes for one launch");
  }
  table.tiles = static_cast<std::uint32_t>(tiles);
  const std::uint64_t blocks = most_blocks == 0 ? tiles : std::min(tiles, most_blocks);
  launch(name, kernel, blocks, tile_threads, native_stream, table);
}

/// With the overload of the kernel that has the smallest table for the regions.
template <class Small, class Large>
void launch_fitting(const char* name, Small small, Large large,
                    const std::vector<copy_region>& regions, std::uint64_t most_blocks,
                    void* native_stream) {
  if (regions.size() <= small_region_table::max_count) {
    launch_with<small_region_table>(name, small, regions, most_blocks, native_stream);
  } else {
    launch_with<large_region_table>(name, large, regions, most_blocks, native_stream);
  }
}

using small_kernel = void (*)(small_region_table);
using large_kernel = void (*)(large_region_table);

}  // namespace

void launch_pack(const std::vector<copy_region>& regions, void* native_stream) {
  launch_fitting<small_kernel, large_kernel>("pack_kernel", pack_kernel, pack_kernel, regions, 0,
                                             native_stream);
}

void launch_relayout(const std::vector<copy_region>& regions, void* native_stream) {
  launch_fitting<small_kernel, large_kernel>("relayout_kernel", relayout_kernel, relayout_kernel,
                                             regions, 0, native_stream);
}

void launch_push(const std::vector<copy_region>& regions, int ctas, void* native_stream) {
  launch_fitting<small_kernel, large_kernel>("push_kernel", push_kernel, push_kernel, regions,
                                             static_cast<std::uint64_t>(ctas), native_stream);
}

}  // namespace ithaca::kernels
