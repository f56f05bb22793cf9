#pragma once

#include <cstdint>

#include "kernels/element_pattern.hpp"

/// How the kernels divide rows over thread blocks.
///
/// The bytes of a set of equal rows are counted in units, 16-byte vectors or single bytes, in row
/// order. A tile is `tile_units` consecutive units, whatever the row length is, and the work of
/// one thread block: equal tiles, handed out by the hardware as blocks finish, keep every SM busy
/// to the end with few or unequal sets of rows too.
namespace ithaca::kernels {

inline constexpr unsigned tile_threads = 256;
/// Independent accesses of a thread: enough in flight to cover the latency of memory.
inline constexpr unsigned units_per_thread = 4;
inline constexpr unsigned tile_units = tile_threads * units_per_thread;

inline std::uint64_t tile_count(std::uint64_t units) {
  return units / tile_units + (units % tile_units != 0 ? 1 : 0);
}

struct unit_position {
  std::uint64_t row = 0;
  std::uint64_t column = 0;  ///< in units
};

/// For `locate`: ceil(2^31 / row_units), or 0 for rows longer than a tile.
inline std::uint32_t row_reciprocal(std::uint64_t row_units) {
  constexpr std::uint64_t one = std::uint64_t{1} << 31;
  if (row_units > tile_units) return 0;
  return static_cast<std::uint32_t>((one + row_units - 1) / row_units);
}

/// Where a set's unit lies. The only division: once a tile.
ITHACA_HOST_DEVICE inline unit_position position_of(std::uint64_t unit, std::uint64_t row_units) {
  const std::uint64_t row = unit / row_units;
  return {row, unit - row * row_units};
}

/// Where the first unit of a set's tile lies.
ITHACA_HOST_DEVICE inline unit_position tile_start(std::uint64_t tile, std::uint64_t row_units) {
  return position_of(tile * tile_units, row_units);
}

/// Where the unit `offset` (< tile_units) after `start` lies.
ITHACA_HOST_DEVICE inline unit_position locate(const unit_position& start, unsigned offset,
                                               std::uint64_t row_units, std::uint32_t reciprocal) {
  const std::uint64_t column = start.column + offset;
  if (reciprocal == 0) {  // at most one row ends inside a tile
    const bool next = column >= row_units;
    return {start.row + (next ? 1 : 0), next ? column - row_units : column};
  }
  // Exact: column < 2 tile_units, so the reciprocal's rounding adds less than 2^-20, and a
  // quotient lies at least 1 / row_units >= 2^-10 below the next integer.
  const std::uint64_t rows = (column * reciprocal) >> 31;
  return {start.row + rows, column - rows * row_units};
}

/// The entry of `table` that `tile` belongs to. Entries are ordered by `first_tile`, from 0.
template <class Table>
ITHACA_HOST_DEVICE inline std::uint32_t find_entry(const Table& table, std::uint32_t tile) {
  std::uint32_t low = 0;
  std::uint32_t high = table.count;
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    if (table.entries[middle].first_tile <= tile) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace ithaca::kernels
