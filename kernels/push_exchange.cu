#include <algorithm>

#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/push_exchange.hpp"
#include "kernels/push_tiles.cuh"
#include "kernels/signal_words.cuh"

namespace ithaca::kernels {

/// Q, K and V for two ranks, or one tensor for eight.
using tiny_region_table = region_table<8>;

struct signal_table {
  std::uint32_t before_count;
  std::uint32_t after_count;
  std::uint32_t last_count;
  awaited_word before[max_signal_words];
  signalled_word after[max_signal_words];
  awaited_word last[max_signal_words];
  signalled_word sent;
  signalled_word ended;
  std::uint32_t* blocks_done;
};

namespace {

/// For latency, not for throughput: a small exchange has few bytes for each thread.
constexpr unsigned exchange_threads = 256;
constexpr unsigned exchange_units = 8;
constexpr tile_limits exchange_limits = {256, exchange_threads* exchange_units};

static_assert(max_exchange_regions <= small_region_table::max_count);
constexpr unsigned warp_threads = 32;
static_assert(max_signal_words <= warp_threads,
              "one warp signals and waits, a thread for each word");

/// For one who reads nothing else because of it.
__device__ __forceinline__ void signal_alone(const signalled_word& word) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(word.address), "l"(word.value)
               : "memory");
}

__device__ __forceinline__ std::uint32_t add_one(std::uint32_t* word) {
  std::uint32_t before = 0;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;"
               : "=r"(before)
               : "l"(word)
               : "memory");
  return before;
}

/// Whether this block is the last of the launch to come here; the count is then 0 for the next.
/// Then all that the others have written is ordered before what it does next: a release to the
/// system by one who has acquired it on the device covers it too (causality order of the PTX memory
/// consistency model).
__device__ __forceinline__ bool comes_last(std::uint32_t* blocks_done) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    last = add_one(blocks_done) + 1 == gridDim.x;
    if (last) *blocks_done = 0;
  }
  __syncthreads();
  return last;
}

template <class Table>
__device__ __forceinline__ void exchange(const Table& table, const tile_spread& spread,
                                         const signal_table& signals) {
  // The first tile's loads are on their way while the peers' release is looked at.
  bool released = false;
  push_tiles<exchange_threads, exchange_units>(table, 0, spread, [&] {
    if (released) return;
    released = true;
    if (threadIdx.x < signals.before_count) await(signals.before[threadIdx.x]);
    __syncthreads();
  });
  if (!comes_last(signals.blocks_done) || threadIdx.x >= warp_threads) return;
  if (threadIdx.x < signals.after_count) signal(signals.after[threadIdx.x]);
  __syncwarp();
  if (threadIdx.x == 0 && signals.sent.address) signal(signals.sent);
  if (threadIdx.x < signals.last_count) await(signals.last[threadIdx.x]);
  __syncwarp();
  if (threadIdx.x == 0 && signals.ended.address) signal_alone(signals.ended);
}

}  // namespace

// Overloads, not templates: a profiler shows the plain name.
__global__ void __launch_bounds__(exchange_threads)
    push_exchange_kernel(const __grid_constant__ tiny_region_table table,
                         const __grid_constant__ tile_spread spread,
                         const __grid_constant__ signal_table signals) {
  exchange(table, spread, signals);
}
__global__ void __launch_bounds__(exchange_threads)
    push_exchange_kernel(const __grid_constant__ small_region_table table,
                         const __grid_constant__ tile_spread spread,
                         const __grid_constant__ signal_table signals) {
  exchange(table, spread, signals);
}

namespace {

template <class Table>
void launch_with(const std::vector<copy_region>& regions, const signal_table& signals, int ctas,
                 void* native_stream) {
  const std::uint32_t units = push_tile_units(regions, ctas, exchange_limits);
  const auto table = make_table<Table>("push_exchange_kernel", regions, units);
  const std::uint32_t blocks = std::clamp<std::uint32_t>(table.tiles, 1, ctas);
  launch<Table, tile_spread, signal_table>("push_exchange_kernel", push_exchange_kernel,
                                           {blocks, exchange_threads}, native_stream, table,
                                           spread_over(table.tiles, blocks), signals);
}

}  // namespace

void launch_push_exchange(const std::vector<copy_region>& regions, const kernel_signals& words,
                          std::uint32_t* blocks_done, int ctas, void* native_stream) {
  signal_table signals = {};
  signals.before_count = static_cast<std::uint32_t>(words.before.size());
  signals.after_count = static_cast<std::uint32_t>(words.after.size());
  signals.last_count = static_cast<std::uint32_t>(words.last.size());
  std::ranges::copy(words.before, signals.before);
  std::ranges::copy(words.after, signals.after);
  std::ranges::copy(words.last, signals.last);
  signals.sent = words.sent;
  signals.ended = words.ended;
  signals.blocks_done = blocks_done;
  if (regions.size() <= tiny_region_table::max_count) {
    launch_with<tiny_region_table>(regions, signals, ctas, native_stream);
  } else {
    launch_with<small_region_table>(regions, signals, ctas, native_stream);
  }
}

}  // namespace ithaca::kernels
