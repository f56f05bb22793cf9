#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/device.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca {

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

  /// Makes the two buffers known to it before their first use. Collective. Throws `not_eligible`
  /// on this rank alone where they can't serve; the caller makes that known.
  virtual void bind(const memory& /*send*/, const memory& /*receive*/) {}

  /// Forgets them, before they are freed. Collective.
  virtual void unbind() {}

  /// The all-to-all as one operation for a stream. Chunks lie one behind the other, by rank.
  virtual kernel_call all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes,
                                 std::byte* receive,
                                 std::span<const std::size_t> receive_bytes) = 0;
};

}  // namespace ithaca
