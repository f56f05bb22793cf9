#pragma once

#include <cublasLt.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kernels/bf16_matrix.hpp"

namespace ithaca::kernels {

/// Gives back what cuBLASLt made.
struct cublaslt_deleter {
  void operator()(cublasLtContext* made) const;
  void operator()(cublasLtMatmulDescOpaque_t* made) const;
  void operator()(cublasLtMatrixLayoutOpaque_t* made) const;
  void operator()(cublasLtMatmulPreferenceOpaque_t* made) const;
};
template <class Opaque>
using cublaslt_owned = std::unique_ptr<Opaque, cublaslt_deleter>;

/// How one product is computed: y = x w^T. cuBLASLt counts by columns, in which a matrix by rows is
/// its own transpose: it is given y^T = w x^T.
struct cublaslt_plan {
  /// Asks the library for its first choice. Throws `launch_error`, also where it knows no way.
  cublaslt_plan(cublasLtHandle_t handle, const bf16_matrix& x_like, const bf16_matrix& w_like,
                const bf16_matrix& y_like, std::size_t workspace_bytes);

  cublaslt_owned<cublasLtMatmulDescOpaque_t> operation;
  cublaslt_owned<cublasLtMatrixLayoutOpaque_t> x, w, y;
  cublasLtMatmulAlgo_t algorithm = {};
};

/// The largest power of two that the first element's address is a multiple of, at most 256: more
/// makes no difference to an algorithm.
std::uint32_t alignment_bytes(const bf16_matrix& of);

}  // namespace ithaca::kernels
