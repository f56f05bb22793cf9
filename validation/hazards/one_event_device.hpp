#pragma once

#include <memory>

#include "validation/wrapped_device.hpp"

namespace ithaca::validation {

/// A device all of whose events are one: what was recorded for one purpose is recorded again for
/// another before its waiter is enqueued. Streams and memory are the inner device's.
class one_event_device final : public wrapped_device {
 public:
  /// `inner` outlives it.
  explicit one_event_device(device& inner)
      : wrapped_device(inner), shared_(inner.create_event(event_timing::off)) {}

  std::unique_ptr<stream> create_stream(std::string name, stream_priority priority) override;
  std::unique_ptr<event> create_event(event_timing) override;

 private:
  std::shared_ptr<event> shared_;
};

}  // namespace ithaca::validation
