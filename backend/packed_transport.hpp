#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca {

/// What keeps two buffers known to a transport: it forgets them when this goes. Collective.
class buffer_binding {
 public:
  virtual ~buffer_binding() = default;
  buffer_binding() = default;
  buffer_binding(const buffer_binding&) = delete;
  buffer_binding& operator=(const buffer_binding&) = delete;
};

/// Somebody else's all-to-all over contiguous bytes: one chunk for each rank, the own included.
class packed_transport {
 public:
  virtual ~packed_transport() = default;

  /// Whether all chunks must have one size: smaller ones are then padded.
  virtual bool equal_chunks_only() const { return false; }

  /// Empty if it can move chunks of these sizes (by rank), else the reason in words.
  virtual std::string why_not(std::span<const std::size_t> send_bytes,
                              std::span<const std::size_t> receive_bytes) const = 0;

  /// Memory that it can send from or receive into; local.
  virtual std::unique_ptr<memory> allocate(device& on, std::size_t bytes) const {
    return on.allocate(bytes);
  }

  /// Makes two buffers known to it before their first use, until the binding goes, which must be
  /// before they do. Others may be bound at the time. Null where nothing needs to be known.
  /// Collective. Throws `not_eligible` on this rank alone where they can't serve; the caller makes
  /// that known.
  virtual std::unique_ptr<buffer_binding> bind(const memory& /*send*/, const memory& /*receive*/) {
    return nullptr;
  }

  /// The all-to-all as one operation for a stream. Chunks lie one behind the other, by rank.
  virtual kernel_call all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes,
                                 std::byte* receive,
                                 std::span<const std::size_t> receive_bytes) = 0;
};

}  // namespace ithaca
