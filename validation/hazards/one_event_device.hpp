#pragma once

#include <memory>
#include <utility>

#include "backend/device.hpp"

namespace ithaca::validation {

/// A device all of whose events are one: what was recorded for one purpose is recorded again for
/// another before its waiter is enqueued. Streams and memory are the inner device's.
class one_event_device final : public device {
 public:
  /// `inner` outlives it.
  explicit one_event_device(device& inner)
      : inner_(inner), shared_(inner.create_event(event_timing::off)) {}

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
  std::unique_ptr<stream> create_stream(std::string name, stream_priority priority) override;
  std::unique_ptr<event> create_event(event_timing) override;
  void read(const std::byte* source, std::span<std::byte> to) override { inner_.read(source, to); }
  void write(std::span<const std::byte> from, std::byte* target) override {
    inner_.write(from, target);
  }
  bool wait_until_reached(const std::uint64_t* word, std::uint64_t value,
                          std::chrono::steady_clock::time_point deadline,
                          watch* looks_at) override {
    return inner_.wait_until_reached(word, value, deadline, looks_at);
  }
  bool reaches(const std::byte* address) const override { return inner_.reaches(address); }
  std::size_t free_bytes() const override { return inner_.free_bytes(); }
  std::string why_no_peer_access(const std::string& peer_identity) const override {
    return inner_.why_no_peer_access(peer_identity);
  }

 protected:
  std::unique_ptr<memory> do_allocate(std::size_t bytes, memory_sharing how) override {
    return inner_.allocate(bytes, how);
  }

 private:
  device& inner_;
  std::shared_ptr<event> shared_;
};

}  // namespace ithaca::validation
