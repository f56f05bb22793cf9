#pragma once

#include <cublasLt.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "kernels/bf16_matrix.hpp"
#include "kernels/cublas/cublaslt_plan.hpp"

namespace ithaca::kernels {

/// One stream's products by cuBLASLt, for `matmul` only.
class cublaslt_matmul {
 public:
  /// `workspace` begins at a multiple of 256 bytes.
  explicit cublaslt_matmul(std::span<std::byte> workspace) : workspace_(workspace) {}

  /// Enqueues y = x w^T on a `cudaStream_t` of the current device, the same at each call. Opens
  /// the library and makes the handle at the first call, chooses an algorithm at the first one of
  /// these extents, pitches and alignments. Throws `launch_error`.
  void multiply(const bf16_matrix& x, const bf16_matrix& w, const bf16_matrix& y,
                void* native_stream);

 private:
  /// Extents, pitches and alignments: what an algorithm is chosen for.
  using problem = std::array<std::uint64_t, 9>;

  const cublaslt_plan& plan_of(const bf16_matrix& x, const bf16_matrix& w, const bf16_matrix& y);

  std::span<std::byte> workspace_;
  cublaslt_owned<cublasLtContext> handle_;
  std::map<problem, cublaslt_plan> plans_;
};

}  // namespace ithaca::kernels
