#pragma once

#include <cstddef>
#include <cstdint>

namespace ithaca::kernels {

/// `height` rows of `width` bytes, from one pitched place to another.
struct copy_region {
  const std::byte* source = nullptr;
  std::size_t source_pitch = 0;
  std::byte* target = nullptr;
  std::size_t target_pitch = 0;
  std::size_t width = 0;   ///< bytes a row; <= both pitches
  std::size_t height = 0;  ///< rows

  /// Whether it can be moved in vectors of 16 bytes.
  bool vectors() const {
    return (reinterpret_cast<std::uintptr_t>(source) | reinterpret_cast<std::uintptr_t>(target) |
            source_pitch | target_pitch | width) %
               16 ==
           0;
  }
};

/// More regions than this don't fit one launch.
inline constexpr std::size_t max_copy_regions = 512;

}  // namespace ithaca::kernels
