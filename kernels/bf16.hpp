#pragma once

#include <bit>
#include <cstdint>

#include "kernels/element_pattern.hpp"

namespace ithaca::kernels {

/// The value of a bf16: the upper half of a float.
ITHACA_HOST_DEVICE inline float from_bf16(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t{bits} << 16;
#ifdef __CUDA_ARCH__
  return __uint_as_float(wide);
#else
  return std::bit_cast<float>(wide);
#endif
}

/// The nearest bf16, the even one of two; a NaN stays one, quiet. The same bits on every device.
ITHACA_HOST_DEVICE inline std::uint16_t to_bf16(float value) {
#ifdef __CUDA_ARCH__
  const std::uint32_t bits = __float_as_uint(value);
#else
  const auto bits = std::bit_cast<std::uint32_t>(value);
#endif
  const bool nan = (bits & 0x7fff'ffffu) > 0x7f80'0000u;
  const std::uint32_t even = (bits >> 16) & 1;
  return static_cast<std::uint16_t>(nan ? (bits >> 16) | 0x40u : (bits + 0x7fffu + even) >> 16);
}

}  // namespace ithaca::kernels
