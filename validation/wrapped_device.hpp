#pragma once

#include <memory>
#include <string>
#include <utility>

#include "backend/device.hpp"

namespace ithaca::validation {

/// Hands everything to another device; what derives from it changes a part.
class wrapped_device : public device {
 public:
  /// `inner` outlives it.
  explicit wrapped_device(device& inner) : inner_(inner) {}

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
  bool wait_until_reached(const std::uint64_t* word, std::uint64_t value,
                          std::chrono::steady_clock::time_point deadline,
                          watch* looks_at) override {
    return inner_.wait_until_reached(word, value, deadline, looks_at);
  }
  void store_signal(std::uint64_t* word, std::uint64_t value) override {
    inner_.store_signal(word, value);
  }
  std::int64_t host_now_ns() const override { return inner_.host_now_ns(); }
  bool moves_bytes() const override { return inner_.moves_bytes(); }
  bool reaches(const std::byte* address) const override { return inner_.reaches(address); }
  std::size_t free_bytes() const override { return inner_.free_bytes(); }
  std::string why_no_peer_access(const std::string& peer_identity) const override {
    return inner_.why_no_peer_access(peer_identity);
  }

 protected:
  std::unique_ptr<memory> do_allocate(std::size_t bytes, memory_sharing how) override {
    return inner_.allocate(bytes, how);
  }
  device& inner() { return inner_; }

 private:
  device& inner_;
};

}  // namespace ithaca::validation
