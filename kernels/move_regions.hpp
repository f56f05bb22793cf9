#pragma once

#include <cstddef>
#include <vector>

#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

/// `height` rows of `width` bytes, from one pitched place to another.
struct copy_region {
  const std::byte* source = nullptr;
  std::size_t source_pitch = 0;
  std::byte* target = nullptr;
  std::size_t target_pitch = 0;
  std::size_t width = 0;   ///< bytes a row; <= both pitches
  std::size_t height = 0;  ///< rows
};

/// More regions than this don't fit one launch.
inline constexpr std::size_t max_copy_regions = 512;

/// Copies regions in one launch: into a send buffer ordered by peer ("pack_kernel"), and from a
/// receive buffer into the final layout ("relayout_kernel"). Both do the same; their names tell a
/// profile which end of a collective they are. Regions must not overlap in their targets, nor any
/// target with any source. Any alignment; fast where pointers, pitches and widths are multiples
/// of 16 bytes. Empty regions count for nothing.
///
/// Throw `std::length_error` for more than `max_copy_regions`, `std::invalid_argument` for a row
/// wider than its pitch.
kernel_call pack(std::vector<copy_region> regions);
kernel_call relayout(std::vector<copy_region> regions);

/// The same into other ranks' memory ("push_kernel"), by at most `ctas` thread blocks of 256
/// threads, regions in their order. Throws as above, and `std::invalid_argument` unless `ctas` > 0.
kernel_call push(std::vector<copy_region> regions, int ctas);

}  // namespace ithaca::kernels
