#pragma once

#include "backend/device.hpp"
#include "backend/sim/world.hpp"

namespace ithaca::sim {

/// One rank's device in a world. Nothing about it takes time, or says anything about GPUs: it runs
/// operations in any order that their streams, events and signals allow.
class sim_device final : public device {
 public:
  sim_device(world& in, int rank) : world_(in), rank_(rank) {}

  device_kind kind() const override { return device_kind::sim; }
  std::string identity() const override { return "sim"; }
  std::string description() const override { return "simulated device"; }
  std::string why_not_shared(memory_sharing) const override { return ""; }
  /// By its number in the world, whichever way it is to be shared.
  shared_memory export_memory(const memory& allocated) override;
  std::unique_ptr<memory> import_memory(shared_memory theirs, std::size_t bytes) override;
  std::unique_ptr<memory> register_host(void* address, std::size_t bytes) override;
  std::unique_ptr<stream> create_stream(std::string name, stream_priority priority) override;
  std::unique_ptr<event> create_event(event_timing timing) override;
  /// Accesses of the host program. A single word is read as a signal. Where bytes are not moved,
  /// signals read as what they hold, all else as 0.
  void read(const std::byte* source, std::span<std::byte> to) override;
  void write(std::span<const std::byte> from, std::byte* target) override;
  /// Until it is reached, or nothing in the world can run.
  bool wait_until_reached(const std::uint64_t* word, std::uint64_t value,
                          std::chrono::steady_clock::time_point deadline,
                          watch* looks_at) override;
  void store_signal(std::uint64_t* word, std::uint64_t value) override;
  std::int64_t host_now_ns() const override { return world_.chooses().now_ns(); }
  bool moves_bytes() const override { return world_.moves_bytes(); }
  bool reaches(const std::byte* address) const override;
  /// This machine's, or where bytes are not moved, address space.
  std::size_t free_bytes() const override;
  std::string why_no_peer_access(const std::string& peer_identity) const override;

  /// What has been found wrong in the world so far.
  const std::vector<finding>& findings() const { return world_.judge().findings(); }

 protected:
  std::unique_ptr<memory> do_allocate(std::size_t bytes, memory_sharing how) override;

 private:
  /// Whether the memory is there.
  bool access(const std::byte* data, std::size_t bytes, access_kind kind);

  world& world_;
  int rank_;
};

}  // namespace ithaca::sim
