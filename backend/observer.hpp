#pragma once

#include <cstdint>

#include "backend/operation.hpp"

namespace ithaca {

/// Sees every operation of a device's streams. Attached for traced passes only.
///
/// `enqueuing` and `enqueued` bracket the enqueue on the calling host thread. `executed` comes
/// from devices that keep records of their own (host, sim), on any thread, with CLOCK_MONOTONIC
/// (sim: virtual) nanoseconds; CUDA records come from CUPTI instead.
class observer {
 public:
  virtual ~observer() = default;
  virtual void enqueuing(const operation& op) = 0;
  virtual void enqueued(const operation& op) = 0;
  virtual void executed(const operation& op, std::int64_t start_ns, std::int64_t end_ns) = 0;
};

}  // namespace ithaca
