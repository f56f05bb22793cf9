#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "kernels/bf16_matrix.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

class cublaslt_matmul;

/// Matrix products for one stream: library handles and workspaces belong to a stream, so make one
/// of these for each, and call it and launch its calls from one host thread. Without a library, or
/// where one refuses, the calls that need it throw `launch_error`: ask `why_no_matmul_on_host` or
/// `why_no_matmul_on_cuda` before.
class matmul {
 public:
  /// What cuBLASLt wants to choose freely on the GPUs that this was written for (32 MiB on sm_90).
  static constexpr std::size_t cuda_workspace_bytes = std::size_t{32} << 20;

  /// `workspace` is memory of the stream's device that outlives every call's run; the host form
  /// needs none. Opens no library yet. Throws `std::invalid_argument` for a workspace that does not
  /// begin at a multiple of 256 bytes.
  explicit matmul(std::span<std::byte> workspace);
  matmul(matmul&&) noexcept = default;
  matmul& operator=(matmul&&) noexcept = default;

  /// y = x w^T ("matmul"; in a profile its kernels bear cuBLAS's own names): x (rows, in), w (out,
  /// in) as torch's nn.Linear keeps it, y (rows, out), each with a row pitch of its own, so that y
  /// can be some columns of a fused projection. Sums are floats and rounded to bf16 once. y shares
  /// no element with x or w.
  ///
  /// On CUDA the algorithm is chosen at the first launch of each combination of shape, pitches and
  /// alignments, which takes the host long: launch each once before it is timed or captured. The
  /// call keeps what it needs of this object.
  ///
  /// Throws `std::invalid_argument` for matrices that are invalid, or don't fit together.
  kernel_call multiply(const bf16_matrix& x, const bf16_matrix& w, const bf16_matrix& y) const;

 private:
  std::span<std::byte> workspace_;
  std::shared_ptr<cublaslt_matmul> on_cuda_;  // none in builds without cuBLASLt
};

/// Why products can't be had there, in words; empty if they can. The second opens the library.
std::string why_no_matmul_on_host();
std::string why_no_matmul_on_cuda();

}  // namespace ithaca::kernels
