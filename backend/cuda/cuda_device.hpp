#pragma once

#include "backend/cuda/ipc_memory.hpp"
#include "backend/cuda/native_stream.hpp"
#include "backend/device.hpp"

namespace ithaca {

/// A GPU. Every call, also of its streams, makes it the calling thread's current device.
class cuda_device final : public device {
 public:
  /// `ordinal` counts the GPUs that this process can see. Throws `invalid_use` if there is no
  /// such GPU.
  explicit cuda_device(int ordinal);

  device_kind kind() const override { return device_kind::cuda; }
  /// The GPU's UUID as nvidia-smi writes it.
  std::string identity() const override { return identity_; }
  std::string description() const override { return description_; }
  std::string why_not_shared(memory_sharing how) const override;
  shared_memory export_memory(const memory& allocated) override;
  std::unique_ptr<memory> import_memory(shared_memory theirs, std::size_t bytes) override;
  std::unique_ptr<memory> register_host(void* address, std::size_t bytes) override;
  std::unique_ptr<stream> create_stream(std::string name, stream_priority priority) override;
  std::unique_ptr<event> create_event(event_timing timing) override;
  /// These use a stream made in advance: they also work while others are held by a wait.
  void read(const std::byte* source, std::span<std::byte> to) override;
  void write(std::span<const std::byte> from, std::byte* target) override;
  /// Memory of this GPU alone: the host's would pass through a copy that waits for the host, and
  /// another GPU's may have no path to this one.
  bool reaches(const std::byte* address) const override;
  std::size_t free_bytes() const override;
  /// Also says why this GPU can't take part at all: without stream memory operations no write
  /// could be signalled.
  std::string why_no_peer_access(const std::string& peer_identity) const override;

  /// Empty if streams can write and wait for 64-bit values, else the reason in words.
  std::string why_no_stream_memory_operations() const;

  int ordinal() const { return ordinal_; }
  /// For calls of libraries that work on the current device.
  void make_current() const;

 protected:
  std::unique_ptr<memory> do_allocate(std::size_t bytes, memory_sharing how) override;

 private:
  /// As `why_no_peer_access`; throws where a query fails.
  std::string no_peer_access(const std::string& peer_identity) const;
  void transfer(void* target, const void* source, std::size_t bytes);

  int ordinal_;
  std::string identity_;
  std::string description_;
  std::shared_ptr<ipc_memory::retirement> retirement_ = std::make_shared<ipc_memory::retirement>();
  native_stream transfers_;
};

}  // namespace ithaca
