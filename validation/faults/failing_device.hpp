#pragma once

#include <memory>

#include "validation/faults/fault_strike.hpp"
#include "validation/wrapped_device.hpp"

namespace ithaca::validation {

/// A device whose allocations are where a rank fails within `prepare`.
class failing_device final : public wrapped_device {
 public:
  /// Both outlive the device.
  failing_device(device& inner, fault_strike& with) : wrapped_device(inner), strike_(with) {}

  /// Allocations before this are those of whoever sets things up, and pass.
  void begin() { begun_ = true; }

 protected:
  std::unique_ptr<memory> do_allocate(std::size_t bytes, memory_sharing how) override {
    if (begun_) strike_.reached(fault_point::prepare_within, 0);
    return wrapped_device::do_allocate(bytes, how);
  }

 private:
  fault_strike& strike_;
  bool begun_ = false;
};

}  // namespace ithaca::validation
