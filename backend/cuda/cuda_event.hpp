#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "backend/device.hpp"

namespace ithaca {

/// A CUDA event.
class cuda_event final : public event {
 public:
  /// On the GPU `ordinal`, which becomes current.
  cuda_event(int ordinal, event_timing timing);

  /// CUDA's resolution is about half a microsecond. Throws `exchange_broken` unless both events
  /// are recorded and complete.
  std::int64_t elapsed_ns_since(const event& start) const override;

  cudaEvent_t native() const { return event_.get(); }

 private:
  struct destroy {
    void operator()(cudaEvent_t event) const noexcept;
  };
  std::unique_ptr<CUevent_st, destroy> event_;
};

}  // namespace ithaca
