#pragma once

#include <cstdint>

#include "kernels/check.hpp"

/// For kernels that check.
namespace ithaca::kernels {

/// What one thread found.
struct mismatches {
  std::uint32_t bytes = 0;
  std::uint64_t first = check_result::no_mismatch;
};

/// Adds what the threads of a block found to `result`. All of them call it, once a launch.
__device__ inline void add_block_mismatches(check_result* result, const mismatches& found) {
  // A target that is wrong throughout must not queue millions of atomics on one address.
  __shared__ unsigned long long block_bytes;
  __shared__ unsigned long long block_first;
  if (threadIdx.x == 0) {
    block_bytes = 0;
    block_first = check_result::no_mismatch;
  }
  if (!__syncthreads_or(found.bytes != 0)) return;
  if (found.bytes != 0) {
    atomicAdd(&block_bytes, found.bytes);
    atomicMin(&block_first, found.first);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&result->mismatched_bytes), block_bytes);
    atomicMin(reinterpret_cast<unsigned long long*>(&result->first_mismatch), block_first);
  }
}

}  // namespace ithaca::kernels
