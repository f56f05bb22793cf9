#include "kernels/delay.hpp"

#include <algorithm>
#include <thread>

#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {

kernel_call delay(std::chrono::nanoseconds duration) {
  duration = std::max(duration, std::chrono::nanoseconds::zero());
  kernel_call call;
  call.name = "delay_kernel";
  call.host = [duration] { std::this_thread::sleep_for(duration); };
#ifdef ITHACA_WITH_CUDA
  call.cuda = [duration](void* native_stream) {
    launch_delay(static_cast<std::uint64_t>(duration.count()), native_stream);
  };
#endif
  return call;
}

}  // namespace ithaca::kernels
