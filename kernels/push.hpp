#pragma once

#include <string>
#include <vector>

#include "kernels/copy_region.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

/// How a push kernel stores: every thread its vectors of 16 bytes ("push_kernel"), or the bulk
/// copy engine of each SM, out of a ring in shared memory ("push_bulk_kernel", compute capability
/// 9.0 and later).
enum class push_stores { vector16, bulk };

struct push_options {
  int ctas = 64;  ///< thread blocks at most: the SMs that it takes
  push_stores stores = push_stores::vector16;
};

/// Copies regions into other ranks' memory in one launch. Regions must not overlap in their
/// targets, nor any target with any source. Any alignment; fast where pointers, pitches and widths
/// are multiples of 16 bytes (what is not is moved by bytes, with both kinds of stores). When the
/// kernel is complete, so is the data at its peers: a signal written behind it is seen after it.
///
/// The blocks take tiles of all regions in turn, in proportion to their size, not one region after
/// the other: at any time every peer gets its share of what leaves this rank, so a receiver's link
/// is never asked for more than it has, whichever ranks push at that time and however late some of
/// them come. Peers one after the other, rotated, do as well only while all ranks keep step.
///
/// Throws `std::length_error` for more than `max_copy_regions`, `std::invalid_argument` for a row
/// wider than its pitch and unless `ctas` > 0. Its launcher throws `launch_error` where bulk stores
/// are impossible: ask `why_no_bulk_push` before.
kernel_call push(std::vector<copy_region> regions, push_options options = {});

/// Empty if the current CUDA device and this build can push with bulk stores, else the reason in
/// words. Empty in builds without CUDA, whose device moves bytes on the host.
std::string why_no_bulk_push();

}  // namespace ithaca::kernels
