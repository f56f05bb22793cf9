#include <algorithm>

#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/row_tiles.hpp"

namespace ithaca::kernels {

struct fill_arguments {
  unsigned char* data;
  std::uint64_t seed;
  std::uint64_t batch_stride;
  std::uint64_t row_stride;
  std::uint64_t rows;
  std::uint64_t row_units;
  std::uint32_t row_reciprocal;
  std::uint32_t batch_tiles;
  bool vectors;
};

namespace {

/// The unit `index` of the pattern, in logical order.
__device__ void store_pattern(ulonglong2* to, std::uint64_t seed, std::uint64_t index) {
  *to = make_ulonglong2(pattern_word(seed, 2 * index), pattern_word(seed, 2 * index + 1));
}
__device__ void store_pattern(unsigned char* to, std::uint64_t seed, std::uint64_t index) {
  *to = static_cast<unsigned char>(pattern_word(seed, index / 8) >> (8 * (index % 8)));
}

template <class Unit>
__device__ void fill_tile(const fill_arguments& arguments, std::uint32_t batch,
                          std::uint32_t tile) {
  const std::uint64_t batch_units = arguments.rows * arguments.row_units;
  const unit_position start = tile_start(tile, arguments.row_units);
  unsigned char* const data = arguments.data + batch * arguments.batch_stride;
#pragma unroll
  for (unsigned i = 0; i < units_per_thread; ++i) {
    const unsigned offset = i * tile_threads + threadIdx.x;
    const std::uint64_t unit = std::uint64_t{tile} * tile_units + offset;
    if (unit >= batch_units) return;
    const unit_position at = locate(start, offset, arguments.row_units, arguments.row_reciprocal);
    unsigned char* const to = data + at.row * arguments.row_stride + at.column * sizeof(Unit);
    store_pattern(reinterpret_cast<Unit*>(to), arguments.seed, batch * batch_units + unit);
  }
}

}  // namespace

__global__ void __launch_bounds__(tile_threads)
    fill_kernel(const __grid_constant__ fill_arguments arguments) {
  const std::uint32_t batch = blockIdx.x / arguments.batch_tiles;
  const std::uint32_t tile = blockIdx.x - batch * arguments.batch_tiles;
  if (arguments.vectors) {
    fill_tile<ulonglong2>(arguments, batch, tile);
  } else {
    fill_tile<unsigned char>(arguments, batch, tile);
  }
}

/// `edge_head` bytes, then `vectors` aligned vectors, then `edge_tail` bytes.
__global__ void __launch_bounds__(tile_threads)
    poison_kernel(unsigned char* data, unsigned edge_head, std::uint64_t vectors,
                  unsigned edge_tail) {
  auto* const body = reinterpret_cast<ulonglong2*>(data + edge_head);
  const std::uint64_t first = std::uint64_t{blockIdx.x} * tile_units + threadIdx.x;
#pragma unroll
  for (unsigned i = 0; i < units_per_thread; ++i) {
    const std::uint64_t vector = first + i * tile_threads;
    if (vector < vectors) body[vector] = make_ulonglong2(~0ull, ~0ull);
  }
  if (blockIdx.x == 0) {
    if (threadIdx.x < edge_head) data[threadIdx.x] = 0xff;
    if (threadIdx.x < edge_tail) data[edge_head + vectors * 16 + threadIdx.x] = 0xff;
  }
}

void launch_fill(std::byte* data, const tensor_shape& shape, std::size_t batch_stride_bytes,
                 std::size_t row_stride_bytes, std::uint64_t seed, void* native_stream) {
  if (shape.size_bytes() == 0) return;
  const std::size_t row_bytes = shape.row_bytes();
  const std::size_t alignment = reinterpret_cast<std::uintptr_t>(data) | row_bytes |
                                (shape.rows > 1 ? row_stride_bytes : 0) |
                                (shape.batch > 1 ? batch_stride_bytes : 0);
  fill_arguments arguments = {};
  arguments.data = reinterpret_cast<unsigned char*>(data);
  arguments.seed = seed;
  arguments.batch_stride = batch_stride_bytes;
  arguments.row_stride = row_stride_bytes;
  arguments.rows = static_cast<std::uint64_t>(shape.rows);
  arguments.vectors = alignment % 16 == 0;
  arguments.row_units = arguments.vectors ? row_bytes / 16 : row_bytes;
  arguments.row_reciprocal = row_reciprocal(arguments.row_units);
  const std::uint64_t batch_tiles = tile_count(arguments.rows * arguments.row_units);
  // Truncated only where the number of blocks is refused anyway.
  arguments.batch_tiles = static_cast<std::uint32_t>(batch_tiles);
  launch("fill_kernel", fill_kernel,
         {static_cast<std::uint64_t>(shape.batch) * batch_tiles, tile_threads}, native_stream,
         arguments);
}

void launch_poison(std::byte* data, std::size_t bytes, void* native_stream) {
  if (bytes == 0) return;
  const std::size_t past_boundary = reinterpret_cast<std::uintptr_t>(data) % 16;
  const std::size_t head = std::min(bytes, (16 - past_boundary) % 16);
  const std::uint64_t vectors = (bytes - head) / 16;
  const std::size_t tail = bytes - head - vectors * 16;
  launch("poison_kernel", poison_kernel,
         {std::max<std::uint64_t>(tile_count(vectors), 1), tile_threads}, native_stream,
         reinterpret_cast<unsigned char*>(data), static_cast<unsigned>(head), vectors,
         static_cast<unsigned>(tail));
}

}  // namespace ithaca::kernels
