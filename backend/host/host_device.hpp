#pragma once

#include "backend/device.hpp"

namespace ithaca {

/// A device made of this machine's memory and threads: everything runs for real, without a GPU.
/// Its times say nothing about GPUs.
class host_device final : public device {
 public:
  device_kind kind() const override { return device_kind::host; }
  std::string identity() const override;
  std::string description() const override;
  std::string why_not_shared(memory_sharing) const override { return ""; }
  shared_memory export_memory(const memory& allocated) override;
  std::unique_ptr<memory> import_memory(shared_memory theirs, std::size_t bytes) override;
  std::unique_ptr<memory> register_host(void* address, std::size_t bytes) override;
  std::unique_ptr<stream> create_stream(std::string name, stream_priority priority) override;
  std::unique_ptr<event> create_event(event_timing timing) override;
  void read(const std::byte* source, std::span<std::byte> to) override;
  void write(std::span<const std::byte> from, std::byte* target) override;
  /// Sleeps, and is woken by the write.
  bool wait_until_reached(const std::uint64_t* word, std::uint64_t value,
                          std::chrono::steady_clock::time_point deadline, watch* looks_at) override;
  bool reaches(const std::byte* address) const override { return address != nullptr; }
  std::size_t free_bytes() const override;
  std::string why_no_peer_access(const std::string& peer_identity) const override;

 protected:
  std::unique_ptr<memory> do_allocate(std::size_t bytes, memory_sharing how) override;
};

}  // namespace ithaca
