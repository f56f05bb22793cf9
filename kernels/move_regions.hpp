#pragma once

#include <vector>

#include "kernels/copy_region.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

/// Copies regions in one launch: into a send buffer ordered by peer ("pack_kernel"), from a receive
/// buffer into the final layout ("relayout_kernel"), and the heads that stay on their rank straight
/// into their target ("own_chunk_kernel"). All do the same; their names tell a profile which part
/// of an exchange they are. Regions must not overlap in their targets, nor any
/// target with any source. Any alignment; fast where pointers, pitches and widths are multiples
/// of 16 bytes. Empty regions count for nothing.
///
/// Throw `std::length_error` for more than `max_copy_regions`, `std::invalid_argument` for a row
/// wider than its pitch.
kernel_call pack(std::vector<copy_region> regions);
kernel_call relayout(std::vector<copy_region> regions);
kernel_call copy_own_chunk(std::vector<copy_region> regions);

}  // namespace ithaca::kernels
