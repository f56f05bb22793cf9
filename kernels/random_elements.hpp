#pragma once

#include <cstdint>

#include "kernels/bf16.hpp"
#include "kernels/element_pattern.hpp"

/// What `random_bf16` writes, the same on host and device bit for bit. A value depends on the seed
/// and its row and column alone.
namespace ithaca::kernels {

/// The seed of one row's values.
ITHACA_HOST_DEVICE constexpr std::uint64_t random_row_seed(std::uint64_t seed, std::uint64_t row) {
  return mix(mix(seed + 1) ^ row);
}

/// One value from 16 random bits, with `step` = scale / 2^16: the middle of one of 2^16 equal parts
/// of [-scale, scale]. Exact but for the product and the rounding to bf16, which no compiler can
/// contract.
ITHACA_HOST_DEVICE inline std::uint16_t random_element(std::uint16_t bits, float step) {
  return to_bf16(static_cast<float>(2 * std::int32_t{bits} - 65'535) * step);
}

/// The four values at columns [4 word, 4 word + 4), the first in the lowest bits.
ITHACA_HOST_DEVICE inline std::uint64_t random_elements(std::uint64_t row_seed, std::uint64_t word,
                                                        float step) {
  const std::uint64_t random = pattern_word(row_seed, word);
  std::uint64_t elements = 0;
  for (unsigned shift = 0; shift < 64; shift += 16) {
    elements |= std::uint64_t{random_element(static_cast<std::uint16_t>(random >> shift), step)}
                << shift;
  }
  return elements;
}

}  // namespace ithaca::kernels
