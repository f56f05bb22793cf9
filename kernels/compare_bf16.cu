#include "kernels/bf16.hpp"
#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/mismatches.cuh"
#include "kernels/row_tiles.hpp"

namespace ithaca::kernels {

struct compared_entry {
  const unsigned char* expected;
  std::uint64_t target_offset;
  std::uint64_t target_pitch;
  std::uint64_t expected_pitch;
  std::uint64_t row_units;
  std::uint64_t units;  // of all rows
  std::uint32_t row_reciprocal;
  std::uint32_t first_tile;
  bool vectors;
};

struct compared_table {
  const unsigned char* target;
  check_result* result;
  bf16_tolerance tolerance;
  std::uint32_t count;
  compared_entry entries[max_expected_blocks];
};

namespace {

/// Notes the elements of a word that are not accepted: `count` of them, the first at `offset`.
__device__ void note(mismatches& found, const bf16_tolerance& tolerance, std::uint64_t values,
                     std::uint64_t expected, std::uint64_t offset, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (!tolerance.accepts(from_bf16(static_cast<std::uint16_t>(values >> (16 * i))),
                           from_bf16(static_cast<std::uint16_t>(expected >> (16 * i))))) {
      found.bytes += 2;
      if (offset + 2 * i < found.first) found.first = offset + 2 * i;
    }
  }
}

__device__ void compare(mismatches& found, const bf16_tolerance& tolerance, const ulonglong2& value,
                        const ulonglong2& expected, std::uint64_t offset) {
  note(found, tolerance, value.x, expected.x, offset, 4);
  note(found, tolerance, value.y, expected.y, offset + 8, 4);
}
__device__ void compare(mismatches& found, const bf16_tolerance& tolerance, std::uint16_t value,
                        std::uint16_t expected, std::uint64_t offset) {
  note(found, tolerance, value, expected, offset, 1);
}

template <class Unit>
__device__ mismatches compare_tile(const compared_table& table, const compared_entry& entry) {
  const std::uint32_t tile = blockIdx.x - entry.first_tile;
  const unit_position start = tile_start(tile, entry.row_units);
  const std::uint64_t left = entry.units - std::uint64_t{tile} * tile_units;
  const auto target_offset = [&](const unit_position& at) {
    return entry.target_offset + at.row * entry.target_pitch + at.column * sizeof(Unit);
  };

  // All loads first, so that they are in flight together.
  Unit values[units_per_thread] = {};
  Unit expected[units_per_thread] = {};
#pragma unroll
  for (unsigned i = 0; i < units_per_thread; ++i) {
    const unsigned offset = i * tile_threads + threadIdx.x;
    const unit_position at = locate(start, offset, entry.row_units, entry.row_reciprocal);
    if (offset < left) {
      values[i] = *reinterpret_cast<const Unit*>(table.target + target_offset(at));
      expected[i] = *reinterpret_cast<const Unit*>(entry.expected + at.row * entry.expected_pitch +
                                                   at.column * sizeof(Unit));
    }
  }
  mismatches found;
#pragma unroll
  for (unsigned i = 0; i < units_per_thread; ++i) {
    const unsigned offset = i * tile_threads + threadIdx.x;
    const unit_position at = locate(start, offset, entry.row_units, entry.row_reciprocal);
    if (offset < left) {
      compare(found, table.tolerance, values[i], expected[i], target_offset(at));
    }
  }
  return found;
}

}  // namespace

__global__ void __launch_bounds__(tile_threads)
    compare_bf16_kernel(const __grid_constant__ compared_table table) {
  const compared_entry& entry = table.entries[find_entry(table, blockIdx.x)];
  add_block_mismatches(table.result, entry.vectors ? compare_tile<ulonglong2>(table, entry)
                                                   : compare_tile<std::uint16_t>(table, entry));
}

namespace {

compared_entry make_entry(const std::byte* target, const compared_block& block) {
  const std::size_t pitches =
      block.rows > 1 ? block.target_row_bytes | block.expected_row_bytes : 0;
  compared_entry entry = {};
  entry.expected = reinterpret_cast<const unsigned char*>(block.expected);
  entry.target_offset = block.target_offset;
  entry.target_pitch = block.target_row_bytes;
  entry.expected_pitch = block.expected_row_bytes;
  entry.vectors =
      (reinterpret_cast<std::uintptr_t>(target + block.target_offset) |
       reinterpret_cast<std::uintptr_t>(block.expected) | block.width_bytes() | pitches) %
          16 ==
      0;
  entry.row_units = block.width_bytes() / (entry.vectors ? 16 : 2);
  entry.units = static_cast<std::uint64_t>(block.rows) * entry.row_units;
  entry.row_reciprocal = row_reciprocal(entry.row_units);
  return entry;
}

}  // namespace

void launch_compare_bf16(const std::byte* target, const std::vector<compared_block>& blocks,
                         const bf16_tolerance& tolerance, check_result* result,
                         void* native_stream) {
  compared_table table = {};
  table.target = reinterpret_cast<const unsigned char*>(target);
  table.result = result;
  table.tolerance = tolerance;
  std::uint64_t tiles = 0;
  for (const compared_block& block : blocks) {
    compared_entry entry = make_entry(target, block);
    // Truncated only where the number of thread blocks is refused anyway.
    entry.first_tile = static_cast<std::uint32_t>(tiles);
    tiles += tile_count(entry.units);
    table.entries[table.count++] = entry;
  }
  if (tiles == 0) return;
  launch("compare_bf16_kernel", compare_bf16_kernel, {tiles, tile_threads}, native_stream, table);
}

}  // namespace ithaca::kernels
