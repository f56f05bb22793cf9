#include "kernels/pattern_bytes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/element_pattern.hpp"

namespace ithaca::kernels {

// A word's bytes lie in memory as the GPU stores them.
static_assert(std::endian::native == std::endian::little);

void pattern_bytes(std::uint64_t seed, std::uint64_t first_byte, std::span<std::byte> to) {
  while (!to.empty()) {
    const std::uint64_t word = pattern_word(seed, first_byte / 8);
    const std::size_t skipped = first_byte % 8;
    const std::size_t taken = std::min(to.size(), 8 - skipped);
    if (taken == 8) {  // a constant size: one store instead of a call
      std::memcpy(to.data(), &word, 8);
    } else {
      std::memcpy(to.data(), reinterpret_cast<const std::byte*>(&word) + skipped, taken);
    }
    first_byte += taken;
    to = to.subspan(taken);
  }
}

}  // namespace ithaca::kernels
