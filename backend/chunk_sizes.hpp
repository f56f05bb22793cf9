#pragma once

#include <cstddef>
#include <span>

#include "backend/exchanger.hpp"

namespace ithaca {

/// Bytes that `from` sends to `to` in one exchange of the whole tensors.
std::size_t whole_chunk_bytes(std::span<const tensor_spec> specs, int from, int to);

/// Size of each chunk if `specs` travel together in chunks of one size: the largest that any rank
/// sends to any.
std::size_t largest_chunk_bytes(std::span<const tensor_spec> specs);

/// Bytes that `rank` then sends to others beyond those of `specs`.
std::size_t padded_bytes(std::span<const tensor_spec> specs, int rank);

}  // namespace ithaca
