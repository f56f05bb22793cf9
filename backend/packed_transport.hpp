#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernels/kernel_call.hpp"

namespace ithaca {

/// Somebody else's all-to-all over contiguous bytes: one chunk for each rank, the own included.
class packed_transport {
 public:
  virtual ~packed_transport() = default;

  /// Empty if it can move chunks of these sizes (by rank), else the reason in words.
  virtual std::string why_not(std::span<const std::size_t> send_bytes,
                              std::span<const std::size_t> receive_bytes) const = 0;

  /// The all-to-all as one operation for a stream. Chunks lie one behind the other, by rank.
  virtual kernel_call all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes,
                                 std::byte* receive,
                                 std::span<const std::size_t> receive_bytes) = 0;
};

}  // namespace ithaca
