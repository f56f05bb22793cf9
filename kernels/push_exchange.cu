#include <algorithm>

#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/push_exchange.hpp"
#include "kernels/push_tiles.cuh"

namespace ithaca::kernels {

struct signal_table {
  std::uint32_t before_count;
  std::uint32_t after_count;
  std::uint32_t last_count;
  awaited_word before[max_signal_words];
  signalled_word after[max_signal_words];
  awaited_word last[max_signal_words];
  std::uint32_t* blocks_done;
};

namespace {

/// For latency, not for throughput: a small exchange has few bytes for each thread.
constexpr unsigned exchange_threads = 256;
constexpr unsigned exchange_units = 8;
constexpr tile_limits exchange_limits = {256, exchange_threads* exchange_units};

static_assert(max_exchange_regions <= small_region_table::max_count);
static_assert(max_signal_words <= exchange_threads, "a thread for each word");

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

/// Whether this block is the last of the launch to come here; then all that the others have
/// written is ordered before what it does next.
__device__ __forceinline__ bool comes_last(std::uint32_t* blocks_done) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence_system();
    last = atomicAdd(blocks_done, 1) + 1 == gridDim.x;
    if (last) {
      *blocks_done = 0;
      __threadfence_system();
    }
  }
  __syncthreads();
  return last;
}

}  // namespace

__global__ void __launch_bounds__(exchange_threads)
    push_exchange_kernel(const __grid_constant__ small_region_table table,
                         const __grid_constant__ tile_spread spread,
                         const __grid_constant__ signal_table signals) {
  if (threadIdx.x < signals.before_count) await(signals.before[threadIdx.x]);
  __syncthreads();
  push_tiles<exchange_threads, exchange_units>(table, 0, spread);
  if (!comes_last(signals.blocks_done)) return;
  if (threadIdx.x < signals.after_count) signal(signals.after[threadIdx.x]);
  if (threadIdx.x < signals.last_count) await(signals.last[threadIdx.x]);
}

void launch_push_exchange(const std::vector<copy_region>& regions, const kernel_signals& words,
                          std::uint32_t* blocks_done, int ctas, void* native_stream) {
  signal_table signals = {};
  signals.before_count = static_cast<std::uint32_t>(words.before.size());
  signals.after_count = static_cast<std::uint32_t>(words.after.size());
  signals.last_count = static_cast<std::uint32_t>(words.last.size());
  std::ranges::copy(words.before, signals.before);
  std::ranges::copy(words.after, signals.after);
  std::ranges::copy(words.last, signals.last);
  signals.blocks_done = blocks_done;

  const std::uint32_t units = push_tile_units(regions, ctas, exchange_limits);
  const auto table = make_table<small_region_table>("push_exchange_kernel", regions, units);
  const std::uint64_t blocks =
      std::clamp(table.tiles, std::uint32_t{1}, static_cast<std::uint32_t>(ctas));
  launch("push_exchange_kernel", push_exchange_kernel, {blocks, exchange_threads}, native_stream,
         table, spread_over(table.tiles, static_cast<std::uint32_t>(blocks)), signals);
}

}  // namespace ithaca::kernels
