#pragma once

#include <memory>

#include "validation/hazards/wrapped_stream.hpp"
#include "validation/wrapped_device.hpp"

namespace ithaca::validation {

/// A device all of whose streams lie in one queue: each operation runs behind all that were
/// enqueued before it, on whichever stream. As GPUs are with `CUDA_DEVICE_MAX_CONNECTIONS=1`, and
/// stricter.
class one_queue_device final : public wrapped_device {
 public:
  /// `inner` outlives it.
  explicit one_queue_device(device& inner)
      : wrapped_device(inner), queue_(inner.create_stream("queue", stream_priority::normal)) {}

  std::unique_ptr<stream> create_stream(std::string name, stream_priority) override {
    return std::make_unique<wrapped_stream>(std::move(name), observers(), queue_);
  }

 private:
  std::shared_ptr<stream> queue_;
};

}  // namespace ithaca::validation
