#include <limits>

#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/load_once.cuh"
#include "kernels/norm_rope_lane.cuh"
#include "kernels/row_tiles.hpp"

namespace ithaca::kernels {

struct norm_rope_entry {
  unsigned char* data;
  unsigned char* own_target;
  const float* weights;
  const float* cos_sin;  // of the first row
  std::uint64_t row_bytes;
  std::uint64_t own_row_bytes;
  std::uint32_t rows;
  std::uint32_t heads;
  std::uint32_t row_groups;  // of lanes, that take a row's heads
  std::uint32_t own_head;
  std::uint32_t own_heads;
  std::uint32_t first_tile;
};

struct norm_rope_table {
  std::uint32_t count;
  std::uint32_t vectors;
  std::uint32_t groups;  // of lanes, in a block
  rope_style style;
  float epsilon;
  norm_rope_entry entries[max_norm_rope_tensors];
};

/// Tells the kernel's overloads apart.
template <norm_scope scope>
struct scoped_table : norm_rope_table {};

namespace {

/// Which part of a tensor a thread holds.
struct lane_place {
  std::uint32_t row;
  std::uint32_t head;    // the first
  std::uint32_t step;    // to the next
  std::uint32_t heads;   // one past the last; 0 if it holds nothing
  std::uint32_t vector;  // of each half of a head

  __device__ bool has(std::uint32_t index) const { return head + index * step < heads; }
};

template <norm_scope scope>
__device__ __forceinline__ lane_place place_of(const norm_rope_table& table,
                                               const norm_rope_entry& entry) {
  const std::uint32_t tile = blockIdx.x - entry.first_tile;
  const std::uint32_t group = threadIdx.x / table.vectors;
  const std::uint32_t vector = threadIdx.x - group * table.vectors;
  const bool idle = group >= table.groups;
  if constexpr (scope == norm_scope::hidden) {
    return {tile, group, table.groups, idle ? 0 : entry.heads, vector};
  }
  const std::uint32_t index = tile * table.groups + group;
  const std::uint32_t row = index / entry.row_groups;
  if (idle || row >= entry.rows) return {0, 0, entry.row_groups, 0, vector};
  return {row, index - row * entry.row_groups, entry.row_groups, entry.heads, vector};
}

/// What each of a thread's heads is multiplied by.
template <norm_scope scope>
__device__ __forceinline__ void find_factors(float (&factors)[heads_per_lane],
                                             const packed_lane (&values)[heads_per_lane],
                                             const norm_rope_table& table,
                                             const norm_rope_entry& entry) {
  const std::uint32_t head_dim = 16 * table.vectors;
  if constexpr (scope == norm_scope::hidden) {
    float sum = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < heads_per_lane; ++i) sum = add_squares(unpack(values[i]), sum);
    const float factor =
        inverse_rms(block_sum(sum), static_cast<float>(entry.heads * head_dim), table.epsilon);
#pragma unroll
    for (std::uint32_t i = 0; i < heads_per_lane; ++i) factors[i] = factor;
  } else if constexpr (scope == norm_scope::head) {
#pragma unroll
    for (std::uint32_t i = 0; i < heads_per_lane; ++i) {
      factors[i] = add_squares(unpack(values[i]), 0);
    }
    butterfly(factors, table.vectors);
#pragma unroll
    for (std::uint32_t i = 0; i < heads_per_lane; ++i) {
      factors[i] = inverse_rms(factors[i], static_cast<float>(head_dim), table.epsilon);
    }
  }
}

__device__ __forceinline__ norm_rope_lane load_weights(const float* weights, std::uint32_t vector,
                                                       std::uint32_t head_dim) {
  norm_rope_lane lane;
  load_shared(lane.low, weights + vector * vector_channels);
  load_shared(lane.high, weights + vector * vector_channels + head_dim / 2);
  return lane;
}

__device__ __forceinline__ void store(const norm_rope_lane& lane, const norm_rope_entry& entry,
                                      const lane_place& place, std::uint32_t head,
                                      std::uint32_t head_bytes) {
  const std::uint32_t own = head - entry.own_head;  // wraps below it
  unsigned char* to = own < entry.own_heads
                          ? entry.own_target + place.row * entry.own_row_bytes + own * head_bytes
                          : entry.data + place.row * entry.row_bytes + head * head_bytes;
  to += place.vector * sizeof(uint4);
  *reinterpret_cast<uint4*>(to) = packed(lane.low);
  *reinterpret_cast<uint4*>(to + head_bytes / 2) = packed(lane.high);
}

/// What one block does.
template <norm_scope scope>
__device__ __forceinline__ void norm_rope_tile(const norm_rope_table& table) {
  const norm_rope_entry& entry = table.entries[find_entry(table, blockIdx.x)];
  const lane_place place = place_of<scope>(table, entry);
  const std::uint32_t head_dim = 16 * table.vectors;
  const std::uint32_t head_bytes = 2 * head_dim;

  // All loads first, so that they are in flight together.
  packed_lane values[heads_per_lane] = {};
  const unsigned char* from =
      entry.data + place.row * entry.row_bytes + place.vector * sizeof(ulonglong2);
#pragma unroll
  for (std::uint32_t i = 0; i < heads_per_lane; ++i) {
    if (!place.has(i)) continue;
    const unsigned char* at = from + (place.head + i * place.step) * head_bytes;
    values[i].low = load_once(reinterpret_cast<const ulonglong2*>(at));
    values[i].high = load_once(reinterpret_cast<const ulonglong2*>(at + head_bytes / 2));
  }
  const angle_runs runs = angles_of(table.style, place.vector, head_dim);
  const float* row_angles = entry.cos_sin + std::uint64_t{place.row} * head_dim;
  lane_angles angles;
  load_shared(angles.cos_sin, row_angles + runs.first);
  load_shared(angles.cos_sin + vector_channels, row_angles + runs.second);
  norm_rope_lane weights;
  if constexpr (scope == norm_scope::head) {
    weights = load_weights(entry.weights, place.vector, head_dim);
  }

  float factors[heads_per_lane];
  find_factors<scope>(factors, values, table, entry);
#pragma unroll
  for (std::uint32_t i = 0; i < heads_per_lane; ++i) {
    if (!place.has(i)) continue;
    const std::uint32_t head = place.head + i * place.step;
    norm_rope_lane lane = unpack(values[i]);
    if constexpr (scope == norm_scope::hidden) {
      weights = load_weights(entry.weights + head * head_dim, place.vector, head_dim);
    }
    if constexpr (scope != norm_scope::none) scale(lane, factors[i], weights);
    rotate(lane, table.style, angles);
    store(lane, entry, place, head, head_bytes);
  }
}

}  // namespace

__global__ void __launch_bounds__(norm_rope_threads)
    norm_rope_kernel(const __grid_constant__ scoped_table<norm_scope::none> table) {
  norm_rope_tile<norm_scope::none>(table);
}
__global__ void __launch_bounds__(norm_rope_threads)
    norm_rope_kernel(const __grid_constant__ scoped_table<norm_scope::head> table) {
  norm_rope_tile<norm_scope::head>(table);
}
// A block for each row.
__global__ void __launch_bounds__(max_norm_rope_threads)
    norm_rope_kernel(const __grid_constant__ scoped_table<norm_scope::hidden> table) {
  norm_rope_tile<norm_scope::hidden>(table);
}

namespace {

norm_rope_entry make_entry(const norm_rope_tensor& of, const float* cos_sin) {
  norm_rope_entry entry = {};
  entry.data = reinterpret_cast<unsigned char*>(of.data);
  entry.row_bytes = of.row_bytes;
  entry.weights = of.weights;
  entry.cos_sin = cos_sin + of.first_position * of.head_dim;
  entry.rows = static_cast<std::uint32_t>(of.rows);
  entry.heads = static_cast<std::uint32_t>(of.heads);
  entry.row_groups = norm_rope_work::groups_for(of);
  if (of.own_chunk) {
    entry.own_target = reinterpret_cast<unsigned char*>(of.own_chunk->target);
    entry.own_row_bytes = of.own_chunk->row_bytes;
    entry.own_head = static_cast<std::uint32_t>(of.own_chunk->first_head);
    entry.own_heads = static_cast<std::uint32_t>(of.own_chunk->heads);
  }
  return entry;
}

template <norm_scope scope>
void launch_scoped(const norm_rope_work& work, void* native_stream) {
  scoped_table<scope> table = {};
  table.vectors = work.vectors();
  table.groups = work.groups();
  table.style = work.style;
  table.epsilon = work.epsilon;
  std::uint64_t tiles = 0;
  for (const norm_rope_tensor& each : work.tensors) {
    norm_rope_entry entry = make_entry(each, work.cos_sin);
    entry.first_tile = static_cast<std::uint32_t>(tiles);
    const auto rows = static_cast<std::uint64_t>(each.rows);
    const std::uint64_t row_groups = rows * entry.row_groups;
    // The kernel counts groups in 32 bits.
    if (row_groups > std::numeric_limits<std::int32_t>::max()) {
      throw launch_error("norm_rope_kernel: too many heads for one launch");
    }
    tiles += scope == norm_scope::hidden ? rows : (row_groups + table.groups - 1) / table.groups;
    table.entries[table.count++] = entry;
  }
  launch<scoped_table<scope>>("norm_rope_kernel", norm_rope_kernel, {tiles, work.threads()},
                              native_stream, table);
}

}  // namespace

void launch_norm_rope(const norm_rope_work& work, void* native_stream) {
  switch (work.scope) {
    case norm_scope::none:
      return launch_scoped<norm_scope::none>(work, native_stream);
    case norm_scope::head:
      return launch_scoped<norm_scope::head>(work, native_stream);
    case norm_scope::hidden:
      return launch_scoped<norm_scope::hidden>(work, native_stream);
  }
}

}  // namespace ithaca::kernels
