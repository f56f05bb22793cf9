#include "kernels/push_exchange.hpp"

#include <stdexcept>
#include <utility>

#include "kernels/region_call.hpp"

#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {

kernel_call push_exchange(std::vector<copy_region> regions, kernel_signals signals,
                          [[maybe_unused]] std::uint32_t* blocks_done, int ctas) {
  if (ctas <= 0) throw std::invalid_argument("push_exchange: it needs at least one thread block");
  for (const std::size_t words :
       {signals.before.size(), signals.after.size(), signals.last.size()}) {
    if (words > max_signal_words) {
      throw std::length_error("push_exchange: more than 16 signals of a kind in one call");
    }
  }
  const shared_regions shared = normalized(std::move(regions));
  if (shared->size() > max_exchange_regions) {
    throw std::length_error("push_exchange: more than 32 regions in one call");
  }
  kernel_call call = region_call("push_exchange_kernel", shared);
  call.signals = std::move(signals);
#ifdef ITHACA_WITH_CUDA
  call.cuda = [shared, words = call.signals, blocks_done, ctas](void* native_stream) {
    launch_push_exchange(*shared, words, blocks_done, ctas, native_stream);
  };
#endif
  return call;
}

}  // namespace ithaca::kernels
