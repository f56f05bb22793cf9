#pragma once

#include "kernels/bf16_matrix.hpp"

namespace ithaca::kernels {

/// y = x w^T by the system's BLAS, on the calling thread, for `matmul` only: in blocks that are
/// widened to floats before and rounded after. No result depends on the thread; one that is split
/// differently can differ in its last bit. Throws `launch_error` for a sum longer than BLAS counts.
void blas_multiply(const bf16_matrix& x, const bf16_matrix& w, const bf16_matrix& y);

}  // namespace ithaca::kernels
