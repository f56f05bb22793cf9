#include <algorithm>

#include "kernels/barrier.hpp"
#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/signal_words.cuh"

namespace ithaca::kernels {

struct signalled_words {
  std::uint32_t count;
  signalled_word words[max_barrier_words];
};

struct awaited_words {
  std::uint32_t count;
  awaited_word words[max_barrier_words];
};

namespace {

constexpr unsigned signal_threads = 32;
constexpr unsigned await_threads = 128;
static_assert(max_barrier_words <= signal_threads && max_barrier_words <= await_threads,
              "a thread for each word");

}  // namespace

__global__ void __launch_bounds__(signal_threads)
    signal_kernel(const __grid_constant__ signalled_words to) {
  if (threadIdx.x < to.count) signal(to.words[threadIdx.x]);
}

__global__ void __launch_bounds__(await_threads)
    await_kernel(const __grid_constant__ awaited_words of) {
  if (threadIdx.x < of.count) await(of.words[threadIdx.x]);
  __syncthreads();  // the block is there until the last word is
}

void launch_signal(const std::vector<signalled_word>& words, void* native_stream) {
  if (words.empty()) return;
  signalled_words to = {};
  to.count = static_cast<std::uint32_t>(words.size());
  std::ranges::copy(words, to.words);
  launch("signal_kernel", signal_kernel, {1, signal_threads}, native_stream, to);
}

void launch_await(const std::vector<awaited_word>& words, int blocks, void* native_stream) {
  if (words.empty()) return;
  awaited_words of = {};
  of.count = static_cast<std::uint32_t>(words.size());
  std::ranges::copy(words, of.words);
  launch("await_kernel", await_kernel, {static_cast<std::uint64_t>(blocks), await_threads},
         native_stream, of);
}

}  // namespace ithaca::kernels
