#include "kernels/barrier.hpp"

#include <stdexcept>
#include <utility>

#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {
namespace {

void require_fitting(std::size_t words) {
  if (words > max_barrier_words) {
    throw std::length_error("a barrier kernel takes at most 16 words in one call");
  }
}

}  // namespace

kernel_call signal(std::vector<signalled_word> words) {
  require_fitting(words.size());
  kernel_call call;
  call.name = "signal_kernel";
  call.signals.after = std::move(words);
  call.host = [] {};
#ifdef ITHACA_WITH_CUDA
  call.cuda = [words = call.signals.after](void* native_stream) {
    launch_signal(words, native_stream);
  };
#endif
  return call;
}

kernel_call await(std::vector<awaited_word> words, int blocks) {
  require_fitting(words.size());
  if (blocks <= 0) throw std::invalid_argument("await: it needs at least one thread block");
  kernel_call call;
  call.name = "await_kernel";
  call.signals.last = std::move(words);
  call.host = [] {};
#ifdef ITHACA_WITH_CUDA
  call.cuda = [words = call.signals.last, blocks](void* native_stream) {
    launch_await(words, blocks, native_stream);
  };
#endif
  return call;
}

}  // namespace ithaca::kernels
