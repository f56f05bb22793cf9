#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"

namespace ithaca::kernels {
namespace {

__device__ std::uint64_t global_nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

}  // namespace

__global__ void delay_kernel(std::uint64_t nanoseconds) {
  const std::uint64_t start = global_nanoseconds();
  while (global_nanoseconds() - start < nanoseconds) {
  }
}

void launch_delay(std::uint64_t nanoseconds, void* native_stream) {
  if (nanoseconds == 0) return;
  launch("delay_kernel", delay_kernel, {1, 1}, native_stream, nanoseconds);
}

}  // namespace ithaca::kernels
