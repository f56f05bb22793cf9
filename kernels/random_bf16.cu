#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/random_elements.hpp"
#include "kernels/row_tiles.hpp"

namespace ithaca::kernels {

struct random_arguments {
  unsigned char* data;
  std::uint64_t seed;
  std::uint64_t first_row;
  std::uint64_t row_stride;
  std::uint64_t row_units;
  std::uint64_t units;  // of all rows
  std::uint32_t row_reciprocal;
  float step;
  bool vectors;
};

namespace {

/// The unit `index` of a row.
__device__ void store_random(ulonglong2* to, std::uint64_t row_seed, std::uint64_t index,
                             float step) {
  *to = make_ulonglong2(random_elements(row_seed, 2 * index, step),
                        random_elements(row_seed, 2 * index + 1, step));
}
__device__ void store_random(std::uint16_t* to, std::uint64_t row_seed, std::uint64_t index,
                             float step) {
  const std::uint64_t random = pattern_word(row_seed, index / 4);
  *to = random_element(static_cast<std::uint16_t>(random >> (16 * (index % 4))), step);
}

template <class Unit>
__device__ void fill_tile(const random_arguments& arguments) {
  const unit_position start = tile_start(blockIdx.x, arguments.row_units);
#pragma unroll
  for (unsigned i = 0; i < units_per_thread; ++i) {
    const unsigned offset = i * tile_threads + threadIdx.x;
    if (std::uint64_t{blockIdx.x} * tile_units + offset >= arguments.units) return;
    const unit_position at = locate(start, offset, arguments.row_units, arguments.row_reciprocal);
    unsigned char* const to =
        arguments.data + at.row * arguments.row_stride + at.column * sizeof(Unit);
    store_random(reinterpret_cast<Unit*>(to),
                 random_row_seed(arguments.seed, arguments.first_row + at.row), at.column,
                 arguments.step);
  }
}

}  // namespace

__global__ void __launch_bounds__(tile_threads)
    random_bf16_kernel(const __grid_constant__ random_arguments arguments) {
  if (arguments.vectors) {
    fill_tile<ulonglong2>(arguments);
  } else {
    fill_tile<std::uint16_t>(arguments);
  }
}

void launch_random_bf16(const bf16_matrix& to, std::uint64_t seed, float step,
                        std::int64_t first_row, void* native_stream) {
  if (to.empty()) return;
  const std::size_t alignment = reinterpret_cast<std::uintptr_t>(to.data) | to.width_bytes() |
                                (to.rows > 1 ? to.row_bytes : 0);
  random_arguments arguments = {};
  arguments.data = reinterpret_cast<unsigned char*>(to.data);
  arguments.seed = seed;
  arguments.first_row = static_cast<std::uint64_t>(first_row);
  arguments.row_stride = to.row_bytes;
  arguments.vectors = alignment % 16 == 0;
  arguments.row_units = to.width_bytes() / (arguments.vectors ? 16 : 2);
  arguments.units = static_cast<std::uint64_t>(to.rows) * arguments.row_units;
  arguments.row_reciprocal = row_reciprocal(arguments.row_units);
  arguments.step = step;
  launch("random_bf16_kernel", random_bf16_kernel, {tile_count(arguments.units), tile_threads},
         native_stream, arguments);
}

}  // namespace ithaca::kernels
