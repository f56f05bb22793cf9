#include "backend/cuda/cuda_event.hpp"

#include <cmath>

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/current_device.hpp"

namespace ithaca {

cuda_event::cuda_event(int ordinal, event_timing timing) {
  make_current_device(ordinal);
  cudaEvent_t made = nullptr;
  check(cudaEventCreateWithFlags(
            &made, timing == event_timing::on ? cudaEventDefault : cudaEventDisableTiming),
        "cudaEventCreateWithFlags");
  event_.reset(made);
}

std::int64_t cuda_event::elapsed_ns_since(const event& start) const {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, dynamic_cast<const cuda_event&>(start).native(),
                             native()),
        "cudaEventElapsedTime");
  return std::llround(static_cast<double>(milliseconds) * 1e6);
}

void cuda_event::destroy::operator()(cudaEvent_t event) const noexcept {
  static_cast<void>(cudaEventDestroy(event));
}

}  // namespace ithaca
