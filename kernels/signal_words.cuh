#pragma once

#include <cstdint>

#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

__device__ __forceinline__ void await(const awaited_word& word) {
  std::uint64_t seen = 0;
  do {
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(seen) : "l"(word.address) : "memory");
  } while (static_cast<std::int64_t>(seen - word.value) < 0);
}

__device__ __forceinline__ void signal(const signalled_word& word) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(word.address), "l"(word.value)
               : "memory");
}

}  // namespace ithaca::kernels
