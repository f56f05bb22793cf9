#pragma once

#include <vector>

#include "backend/device.hpp"
#include "backend/head_layout.hpp"
#include "bench/workload.hpp"
#include "kernels/norm_rope.hpp"
#include "reports/kernel_rates.hpp"

namespace ithaca::bench {

/// What the kernels around an exchange are given: Q, K and V in bf16 as rank 0 of `layout` has
/// them.
struct kernel_probe_shape {
  head_layout layout;
  projection projected = projection::split;
  kernels::norm_scope scope = kernels::norm_scope::head;
  kernels::rope_style style = kernels::rope_style::neox;
};

/// Measures on this device alone, first of all a contiguous copy of 256 MiB (less on the host
/// device, or where memory is short): then norm and rotation of Q and K, in place and with the own
/// chunks in their targets, V's own chunk, and pack and relayout of all three for the layout's
/// degree. All take turns; each time is of several launches, each rate of the median time. Bytes
/// are what is read and written of Q, K and V; weights and angles are not counted. What fits into
/// the L2 cache can be quicker than the copy.
///
/// Takes memory for about two times Q, K and V. Throws `invalid_use` where there is no room, or for
/// a layout of other elements; `std::invalid_argument` and `std::length_error` as the kernels do;
/// `exchange_broken` for a launch that does not end.
std::vector<reports::kernel_rate> probe_kernels(device& on, const kernel_probe_shape& of);

}  // namespace ithaca::bench
