#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backend/memory_sharing.hpp"
#include "backend/observer_slot.hpp"
#include "backend/stream.hpp"

namespace ithaca {

enum class device_kind { cuda, host, sim };
std::string_view to_string(device_kind kind);

enum class stream_priority { normal, high };

/// Whether an event can be asked for times. One that only orders streams is three times as quick
/// to pass on an H200 (a hop there and back: 3.0 us against 9.6 us).
enum class event_timing { off, on };

/// A piece of device memory: allocated here, imported from a peer, or registered from the host.
/// Freed or unmapped by its destructor.
class memory {
 public:
  virtual ~memory() = default;
  std::byte* data() const { return data_; }  ///< an address for operations on the device
  std::size_t size_bytes() const { return size_bytes_; }

 protected:
  memory(std::byte* data, std::size_t size_bytes) : data_(data), size_bytes_(size_bytes) {}
  std::byte* data_;
  std::size_t size_bytes_;
};

/// What the exchange needs from a device; one per process and GPU (host: one per rank).
///
/// Errors of the device are `exchange_broken`; a request that it can't serve (out of memory, not
/// enough peers) is `invalid_use`.
class device {
 public:
  virtual ~device() = default;
  device() = default;
  device(const device&) = delete;
  device& operator=(const device&) = delete;

  virtual device_kind kind() const = 0;
  /// Stable identity, the same in every process that sees it (CUDA: the GPU's UUID).
  virtual std::string identity() const = 0;
  /// Name for people, e.g. "NVIDIA H200".
  virtual std::string description() const = 0;

  /// Empty if memory can be shared in this way here, else the reason in words.
  virtual std::string why_not_shared(memory_sharing how) const = 0;
  /// Memory that peers on this host can import. Contents are undefined. Counted.
  std::unique_ptr<memory> allocate(std::size_t bytes,
                                   memory_sharing how = memory_sharing::descriptor);
  /// What another process on this host needs to import `allocated`, a whole allocation.
  virtual shared_memory export_memory(const memory& allocated) = 0;
  /// Maps a peer's allocation of `bytes`. Throws `invalid_use` where this process can't.
  virtual std::unique_ptr<memory> import_memory(shared_memory theirs, std::size_t bytes) = 0;
  /// Makes host memory (page-aligned, whole pages) reachable for this device's operations.
  virtual std::unique_ptr<memory> register_host(void* address, std::size_t bytes) = 0;

  virtual std::unique_ptr<stream> create_stream(std::string name, stream_priority priority) = 0;
  virtual std::unique_ptr<event> create_event(event_timing timing) = 0;

  /// Blocking transfers for set-up and inspection, never in an exchange. They do not order
  /// themselves after any stream: synchronize first.
  virtual void read(const std::byte* source, std::span<std::byte> to) = 0;
  virtual void write(std::span<const std::byte> from, std::byte* target) = 0;

  /// Waits on the host until the word at `word` has reached `value` (>= by signed difference);
  /// false when `deadline` passes first. Throws `exchange_broken` once waiting is in vain, by
  /// `looks_at` (may be null).
  virtual bool wait_until_reached(const std::uint64_t* word, std::uint64_t value,
                                  std::chrono::steady_clock::time_point deadline, watch* looks_at);

  /// Stores `value` from the host into a word that streams wait for: a registered one, or (in a
  /// simulation, which knows no other memory) one of a device.
  virtual void store_signal(std::uint64_t* word, std::uint64_t value);

  /// The clock of the host that uses the device: CLOCK_MONOTONIC, in a simulation virtual time.
  virtual std::int64_t host_now_ns() const;
  /// False in a simulation that only looks at what operations would touch: memory holds nothing
  /// then, and there is nothing to check.
  virtual bool moves_bytes() const { return true; }

  /// Whether `address` lies in memory of this device.
  virtual bool reaches(const std::byte* address) const = 0;
  /// Bytes of memory that are free now.
  virtual std::size_t free_bytes() const = 0;
  /// Empty if this device can write directly into the memory of the device with `identity`, else
  /// the reason in words.
  virtual std::string why_no_peer_access(const std::string& peer_identity) const = 0;

  std::uint64_t allocation_count() const { return allocation_count_; }

  /// Attaches an observer to all streams, or none with nullptr.
  void observe(observer* with) { observers_.set(with); }
  const observer_slot& observers() const { return observers_; }

 protected:
  virtual std::unique_ptr<memory> do_allocate(std::size_t bytes, memory_sharing how) = 0;

 private:
  std::atomic<std::uint64_t> allocation_count_ = 0;
  observer_slot observers_;
};

}  // namespace ithaca
