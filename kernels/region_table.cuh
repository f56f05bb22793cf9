#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/copy_region.hpp"
#include "kernels/launch_error.hpp"
#include "kernels/load_once.cuh"
#include "kernels/row_tiles.hpp"
#include "kernels/unit_stepper.hpp"

/// The CUDA side of every kernel that copies regions: their table, and the move of a tile.
namespace ithaca::kernels {

struct region_entry {
  const unsigned char* source;
  unsigned char* target;
  std::uint64_t source_pitch;
  std::uint64_t target_pitch;
  std::uint64_t width;
  std::uint64_t height;
  std::uint32_t row_reciprocal;
  std::uint32_t first_tile : 31;
  std::uint32_t vectors : 1;  ///< its units are vectors of 16 bytes, else bytes
};

template <std::size_t capacity>
struct region_table {
  static constexpr std::size_t max_count = capacity;
  std::uint32_t count;
  std::uint32_t tiles;
  std::uint32_t tile_units;
  region_entry entries[capacity];
};
// A table's size is paid at every launch, so the usual few regions have one of their own.
using small_region_table = region_table<32>;
using large_region_table = region_table<max_copy_regions>;
static_assert(sizeof(large_region_table) <= 32'000, "the limit of kernel parameters is 32,764");

inline std::uint64_t units_of(const copy_region& region) {
  return (region.vectors() ? region.width / 16 : region.width) * region.height;
}

/// Throws `launch_error` for more tiles than a table counts.
template <class Table>
Table make_table(const char* name, const std::vector<copy_region>& regions,
                 std::uint32_t units_a_tile) {
  Table table = {};
  table.tile_units = units_a_tile;
  std::uint64_t tiles = 0;
  for (const copy_region& region : regions) {
    if (tiles > std::numeric_limits<std::int32_t>::max()) break;
    region_entry& entry = table.entries[table.count++];
    entry.source = reinterpret_cast<const unsigned char*>(region.source);
    entry.target = reinterpret_cast<unsigned char*>(region.target);
    entry.source_pitch = region.source_pitch;
    entry.target_pitch = region.target_pitch;
    entry.width = region.width;
    entry.height = region.height;
    entry.vectors = region.vectors() ? 1 : 0;
    entry.row_reciprocal = row_reciprocal(entry.vectors ? region.width / 16 : region.width);
    entry.first_tile = static_cast<std::uint32_t>(tiles) & 0x7fff'ffffu;
    tiles += (units_of(region) + units_a_tile - 1) / units_a_tile;
  }
  if (tiles > std::numeric_limits<std::int32_t>::max()) {
    throw launch_error(std::string(name) + ": too many bytes for one launch");
  }
  table.tiles = static_cast<std::uint32_t>(tiles);
  return table;
}

/// Calls `launch_with` with the smallest table that holds the regions, unless there are none.
template <class Launch>
void with_fitting_table(const char* name, const std::vector<copy_region>& regions,
                        std::uint32_t units_a_tile, const Launch& launch_with) {
  if (regions.empty()) return;
  if (regions.size() <= small_region_table::max_count) {
    launch_with(make_table<small_region_table>(name, regions, units_a_tile));
  } else {
    launch_with(make_table<large_region_table>(name, regions, units_a_tile));
  }
}

/// Consecutive units of a region.
struct region_tile {
  const region_entry& entry;
  std::uint64_t first;
  std::uint32_t count;
};

template <class Table>
__device__ __forceinline__ region_tile tile_of(const Table& table, std::uint32_t index) {
  const region_entry& entry = table.entries[find_entry(table, index)];
  const std::uint64_t first = std::uint64_t{index - entry.first_tile} * table.tile_units;
  const std::uint64_t units = (entry.vectors ? entry.width / 16 : entry.width) * entry.height;
  return {entry, first,
          static_cast<std::uint32_t>(min(units - first, std::uint64_t{table.tile_units}))};
}

/// Nothing to do between a tile's loads and its stores.
struct store_at_once {
  __device__ void operator()() const {}
};

/// By a block of `threads`, up to `units` for each of them.
template <class Unit, unsigned threads, unsigned units, class BeforeStores>
__device__ __forceinline__ void move_units(const region_tile& tile,
                                           const BeforeStores& before_stores) {
  static_assert(threads <= tile_units, "locate counts on it");
  const region_entry& entry = tile.entry;
  const std::uint64_t row_units = entry.width / sizeof(Unit);
  const unit_position start =
      locate(position_of(tile.first, row_units), threadIdx.x, row_units, entry.row_reciprocal);
  const std::uint64_t start_column = start.column * sizeof(Unit);
  const unit_stepper stepper(entry.width, sizeof(Unit), threads);

  // All loads first, so that they are in flight together. No more steps than the tile has: a short
  // one, of a small exchange, is a matter of latency.
  Unit values[units];
  const unsigned char* source = entry.source + start.row * entry.source_pitch + start_column;
  std::uint64_t column = start_column;
#pragma unroll
  for (unsigned i = 0; i < units; ++i) {
    if (i * threads + threadIdx.x >= tile.count) break;
    values[i] = load_once(reinterpret_cast<const Unit*>(source));
    stepper.advance(source, column, entry.source_pitch);
  }
  before_stores();
  unsigned char* target = entry.target + start.row * entry.target_pitch + start_column;
  column = start_column;
#pragma unroll
  for (unsigned i = 0; i < units; ++i) {
    if (i * threads + threadIdx.x >= tile.count) break;
    *reinterpret_cast<Unit*>(target) = values[i];
    stepper.advance(target, column, entry.target_pitch);
  }
}

/// By a block of `threads`; `threads` x `units` >= the table's `tile_units`. All threads call
/// `before_stores` between the tile's loads and its stores.
template <unsigned threads, unsigned units, class Table, class BeforeStores = store_at_once>
__device__ __forceinline__ void move_tile(const Table& table, std::uint32_t index,
                                          const BeforeStores& before_stores = {}) {
  const region_tile tile = tile_of(table, index);
  if (tile.entry.vectors) {
    move_units<ulonglong2, threads, units>(tile, before_stores);
  } else {
    move_units<unsigned char, threads, units>(tile, before_stores);
  }
}

}  // namespace ithaca::kernels
