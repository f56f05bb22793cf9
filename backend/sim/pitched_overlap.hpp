#pragma once

#include <cstddef>
#include <optional>

#include "kernels/kernel_call.hpp"

namespace ithaca::sim {

/// Bytes that two operations have in common.
struct common_bytes {
  const std::byte* first = nullptr;
  std::size_t count = 0;  ///< from `first` on, without a gap
};

/// One past the last byte.
const std::byte* end_of(const pitched_bytes& bytes);
std::size_t byte_count(const pitched_bytes& bytes);

/// The first bytes that lie in both, exactly: bytes between rows belong to neither. Empty if there
/// are none. Widths must not exceed pitches.
std::optional<common_bytes> overlap(const pitched_bytes& a, const pitched_bytes& b);

/// Whether every byte of `inner` lies in `outer`.
bool covers(const pitched_bytes& outer, const pitched_bytes& inner);

}  // namespace ithaca::sim
