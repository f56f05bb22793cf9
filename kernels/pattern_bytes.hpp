#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ithaca::kernels {

/// Writes the pattern's bytes [first_byte, first_byte + to.size()), counted in the logical order
/// of the source tensor, for the contents with this seed (see `pattern_seed`).
void pattern_bytes(std::uint64_t seed, std::uint64_t first_byte, std::span<std::byte> to);

}  // namespace ithaca::kernels
