#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/mismatches.cuh"
#include "kernels/row_tiles.hpp"

namespace ithaca::kernels {

struct check_entry {
  std::uint64_t seed;
  std::uint64_t target_offset;  // of the block's first byte in batch 0
  std::uint64_t source_offset;
  std::uint64_t source_row_bytes;
  std::uint64_t source_batch_bytes;
  std::uint64_t rows;
  std::uint64_t row_units;
  std::uint32_t row_reciprocal;
  std::uint32_t batch_tiles;
  std::uint32_t first_tile;
  bool vectors;
};

struct check_table {
  const unsigned char* target;
  std::uint64_t target_row_bytes;
  std::uint64_t target_batch_bytes;
  check_result* result;
  std::uint32_t count;
  check_entry entries[max_expected_blocks];
};

namespace {

/// Notes the bytes that differ: `difference` is the exclusive or of the word at `offset`.
__device__ void note(mismatches& found, std::uint64_t difference, std::uint64_t offset) {
  if (difference == 0) return;
  const std::uint64_t first = offset + (__ffsll(static_cast<long long>(difference)) - 1) / 8;
  if (first < found.first) found.first = first;
  // Gathers each byte's bits in its lowest one.
  difference |= difference >> 4;
  difference |= difference >> 2;
  difference |= difference >> 1;
  found.bytes += __popcll(difference & 0x0101010101010101ull);
}

__device__ void compare(mismatches& found, const ulonglong2& value, std::uint64_t offset,
                        std::uint64_t seed, std::uint64_t source_offset) {
  note(found, value.x ^ pattern_word(seed, source_offset / 8), offset);
  note(found, value.y ^ pattern_word(seed, source_offset / 8 + 1), offset + 8);
}
__device__ void compare(mismatches& found, unsigned char value, std::uint64_t offset,
                        std::uint64_t seed, std::uint64_t source_offset) {
  const std::uint64_t word = pattern_word(seed, source_offset / 8);
  note(found, value ^ ((word >> (8 * (source_offset % 8))) & 0xff), offset);
}

template <class Unit>
__device__ mismatches compare_tile(const check_table& table, const check_entry& entry,
                                   std::uint32_t batch, std::uint32_t tile) {
  const std::uint64_t batch_units = entry.rows * entry.row_units;
  const unit_position start = tile_start(tile, entry.row_units);
  const std::uint64_t target = entry.target_offset + batch * table.target_batch_bytes;
  const std::uint64_t source = entry.source_offset + batch * entry.source_batch_bytes;
  const auto target_offset = [&](const unit_position& at) {
    return target + at.row * table.target_row_bytes + at.column * sizeof(Unit);
  };
  const std::uint64_t left = batch_units - std::uint64_t{tile} * tile_units;

  // All loads first, so that they are in flight together.
  Unit values[units_per_thread] = {};
#pragma unroll
  for (unsigned i = 0; i < units_per_thread; ++i) {
    const unsigned offset = i * tile_threads + threadIdx.x;
    const unit_position at = locate(start, offset, entry.row_units, entry.row_reciprocal);
    if (offset < left) {
      values[i] = *reinterpret_cast<const Unit*>(table.target + target_offset(at));
    }
  }
  mismatches found;
#pragma unroll
  for (unsigned i = 0; i < units_per_thread; ++i) {
    const unsigned offset = i * tile_threads + threadIdx.x;
    const unit_position at = locate(start, offset, entry.row_units, entry.row_reciprocal);
    if (offset < left) {
      compare(found, values[i], target_offset(at), entry.seed,
              source + at.row * entry.source_row_bytes + at.column * sizeof(Unit));
    }
  }
  return found;
}

}  // namespace

__global__ void __launch_bounds__(tile_threads)
    check_kernel(const __grid_constant__ check_table table) {
  const check_entry& entry = table.entries[find_entry(table, blockIdx.x)];
  const std::uint32_t entry_tile = blockIdx.x - entry.first_tile;
  const std::uint32_t batch = entry_tile / entry.batch_tiles;
  const std::uint32_t tile = entry_tile - batch * entry.batch_tiles;
  const mismatches found = entry.vectors ? compare_tile<ulonglong2>(table, entry, batch, tile)
                                         : compare_tile<unsigned char>(table, entry, batch, tile);
  add_block_mismatches(table.result, found);
}

namespace {

check_entry make_entry(const std::byte* target, const tensor_shape& shape,
                       const expected_block& block) {
  const auto bytes = [&](std::int64_t heads) {
    return static_cast<std::uint64_t>(heads) * shape.head_bytes;
  };
  const std::uint64_t width = bytes(block.heads);
  check_entry entry = {};
  entry.seed = pattern_seed(block.key);
  entry.target_offset = bytes(block.target_row * shape.heads + block.target_head);
  entry.source_offset = bytes(block.source_row * block.source_heads + block.source_head);
  entry.source_row_bytes = bytes(block.source_heads);
  entry.source_batch_bytes = bytes(block.source_rows * block.source_heads);
  entry.rows = static_cast<std::uint64_t>(block.rows);
  // Vectors in the target, and whole words of the pattern.
  entry.vectors =
      (reinterpret_cast<std::uintptr_t>(target) | shape.row_bytes() | entry.target_offset | width) %
              16 ==
          0 &&
      (entry.source_offset | entry.source_row_bytes) % 8 == 0;
  entry.row_units = entry.vectors ? width / 16 : width;
  entry.row_reciprocal = row_reciprocal(entry.row_units);
  return entry;
}

}  // namespace

void launch_check(const std::byte* target, const tensor_shape& target_shape,
                  const std::vector<expected_block>& blocks, check_result* result,
                  void* native_stream) {
  check_table table = {};
  table.target = reinterpret_cast<const unsigned char*>(target);
  table.target_row_bytes = target_shape.row_bytes();
  table.target_batch_bytes = target_shape.batch_bytes();
  table.result = result;
  std::uint64_t tiles = 0;
  for (const expected_block& block : blocks) {
    check_entry entry = make_entry(target, target_shape, block);
    const std::uint64_t batch_tiles = tile_count(entry.rows * entry.row_units);
    // Truncated only where the number of blocks is refused anyway.
    entry.batch_tiles = static_cast<std::uint32_t>(batch_tiles);
    entry.first_tile = static_cast<std::uint32_t>(tiles);
    tiles += static_cast<std::uint64_t>(target_shape.batch) * batch_tiles;
    table.entries[table.count++] = entry;
  }
  if (tiles == 0) return;
  launch("check_kernel", check_kernel, {tiles, tile_threads}, native_stream, table);
}

}  // namespace ithaca::kernels
