#pragma once

#include <cuda_bf16.h>

#include <cstdint>

#include "kernels/norm_rope_lane.hpp"
#include "kernels/norm_rope_work.hpp"

/// How a thread of `norm_rope_kernel` reads, writes and adds up what it holds.
namespace ithaca::kernels {

/// A lane of a head as it lies in memory.
struct packed_lane {
  ulonglong2 low;
  ulonglong2 high;
};

__device__ __forceinline__ void unpack(float* to, unsigned long long four) {
  const auto first = static_cast<unsigned>(four);
  const auto second = static_cast<unsigned>(four >> 32);
  to[0] = __uint_as_float(first << 16);
  to[1] = __uint_as_float(first & 0xffff'0000u);
  to[2] = __uint_as_float(second << 16);
  to[3] = __uint_as_float(second & 0xffff'0000u);
}

__device__ __forceinline__ norm_rope_lane unpack(const packed_lane& from) {
  norm_rope_lane lane;
  unpack(lane.low, from.low.x);
  unpack(lane.low + 4, from.low.y);
  unpack(lane.high, from.high.x);
  unpack(lane.high + 4, from.high.y);
  return lane;
}

__device__ __forceinline__ unsigned packed(float first, float second) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(first, second);
  return *reinterpret_cast<const unsigned*>(&both);
}

__device__ __forceinline__ uint4 packed(const float* from) {
  return {packed(from[0], from[1]), packed(from[2], from[3]), packed(from[4], from[5]),
          packed(from[6], from[7])};
}

/// Eight floats that many threads read and nobody writes.
__device__ __forceinline__ void load_shared(float* to, const float* from) {
  const float4 first = __ldg(reinterpret_cast<const float4*>(from));
  const float4 second = __ldg(reinterpret_cast<const float4*>(from) + 1);
  to[0] = first.x, to[1] = first.y, to[2] = first.z, to[3] = first.w;
  to[4] = second.x, to[5] = second.y, to[6] = second.z, to[7] = second.w;
}

/// Sums over the lanes of a head, or of a warp: a power of two. All threads of the warp call it.
template <std::uint32_t count>
__device__ __forceinline__ void butterfly(float (&sums)[count], std::uint32_t lanes) {
  for (std::uint32_t half = lanes / 2; half > 0; half /= 2) {
#pragma unroll
    for (std::uint32_t i = 0; i < count; ++i) {
      sums[i] += __shfl_xor_sync(0xffff'ffffu, sums[i], static_cast<int>(half));
    }
  }
}

/// Over the block, whose threads all call it, once.
__device__ __forceinline__ float block_sum(float sum) {
  __shared__ float warp_sums[max_norm_rope_threads / lanes_per_warp];
  float sums[] = {sum};
  butterfly(sums, lanes_per_warp);
  if (threadIdx.x % lanes_per_warp == 0) warp_sums[threadIdx.x / lanes_per_warp] = sums[0];
  __syncthreads();
  float whole = 0;
  for (std::uint32_t warp = 0; warp < blockDim.x / lanes_per_warp; ++warp) {
    whole += warp_sums[warp];
  }
  return whole;
}

}  // namespace ithaca::kernels
