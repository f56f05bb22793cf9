#pragma once

namespace ithaca::kernels {

// What is read once leaves the L1 cache to others. Not by `ld.global.nc`: the compiler would move
// such loads behind the stores of a tile, and few would be in flight.
__device__ __forceinline__ ulonglong2 load_once(const ulonglong2* from) {
  ulonglong2 value;
  asm volatile("ld.global.L1::no_allocate.v2.u64 {%0, %1}, [%2];"
               : "=l"(value.x), "=l"(value.y)
               : "l"(from));
  return value;
}
__device__ __forceinline__ unsigned char load_once(const unsigned char* from) {
  return __ldcs(from);
}

}  // namespace ithaca::kernels
