#pragma once

#include <cstring>

#include "kernels/bf16.hpp"

namespace ithaca::kernels {

/// The element at `at`, which may have any alignment.
inline std::uint16_t bits_at(const std::byte* at) {
  std::uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return bits;
}
inline float value_at(const std::byte* at) { return from_bf16(bits_at(at)); }
inline void put_bits(std::byte* at, std::uint16_t bits) { std::memcpy(at, &bits, sizeof bits); }
inline void put_value(std::byte* at, float value) { put_bits(at, to_bf16(value)); }

}  // namespace ithaca::kernels
