#pragma once

#include <utility>

#include "backend/device.hpp"
#include "validation/faults/fault_strike.hpp"

namespace ithaca::validation {

/// A device whose allocations are where a rank fails within `prepare`.
class failing_device final : public device {
 public:
  /// Both outlive the device.
  failing_device(device& inner, fault_strike& with) : inner_(inner), strike_(with) {}

  device_kind kind() const override { return inner_.kind(); }
  std::string identity() const override { return inner_.identity(); }
  std::string description() const override { return inner_.description(); }
  std::string why_not_shared(memory_sharing how) const override {
    return inner_.why_not_shared(how);
  }
  shared_memory export_memory(const memory& allocated) override {
    return inner_.export_memory(allocated);
  }
  std::unique_ptr<memory> import_memory(shared_memory theirs, std::size_t bytes) override {
    return inner_.import_memory(std::move(theirs), bytes);
  }
  std::unique_ptr<memory> register_host(void* address, std::size_t bytes) override {
    return inner_.register_host(address, bytes);
  }
  std::unique_ptr<stream> create_stream(std::string name, stream_priority priority) override {
    return inner_.create_stream(std::move(name), priority);
  }
  std::unique_ptr<event> create_event(event_timing timing) override {
    return inner_.create_event(timing);
  }
  void read(const std::byte* source, std::span<std::byte> to) override { inner_.read(source, to); }
  void write(std::span<const std::byte> from, std::byte* target) override {
    inner_.write(from, target);
  }
  bool reaches(const std::byte* address) const override { return inner_.reaches(address); }
  std::size_t free_bytes() const override { return inner_.free_bytes(); }
  std::string why_no_peer_access(const std::string& peer_identity) const override {
    return inner_.why_no_peer_access(peer_identity);
  }

  /// Allocations before this are those of whoever sets things up, and pass.
  void begin() { begun_ = true; }

 protected:
  std::unique_ptr<memory> do_allocate(std::size_t bytes, memory_sharing how) override {
    if (begun_) strike_.reached(fault_point::prepare_within, 0);
    return inner_.allocate(bytes, how);
  }

 private:
  device& inner_;
  fault_strike& strike_;
  bool begun_ = false;
};

}  // namespace ithaca::validation
