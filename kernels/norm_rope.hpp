#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

/// Over which channels the mean of squares is taken: of each head, of a whole row, or not at all.
enum class norm_scope { none, head, hidden };

/// Which channels of a head are rotated together: d and d + head_dim / 2, or 2 i and 2 i + 1.
enum class rope_style { neox, interleaved };

/// Heads that are written somewhere else than in place: row r of them at `target` + r `row_bytes`.
struct norm_rope_chunk {
  std::byte* target = nullptr;
  std::size_t row_bytes = 0;
  std::int64_t first_head = 0;
  std::int64_t heads = 0;
};

/// Q or K, or one batch of it: bf16, heads and channels contiguous in a row.
struct norm_rope_tensor {
  std::byte* data = nullptr;
  std::size_t row_bytes = 0;  ///< from one row to the next; what lies between is left alone
  std::int64_t rows = 0;
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t first_position = 0;  ///< row r stands at position `first_position` + r
  /// Device memory, (head_dim) for scope head, (heads, head_dim) for scope hidden.
  const float* weights = nullptr;
  std::optional<norm_rope_chunk> own_chunk = std::nullopt;
};

inline constexpr std::size_t max_norm_rope_tensors = 8;
inline constexpr std::int64_t max_norm_rope_head_dim = 512;
/// Of a row.
inline constexpr std::int64_t max_norm_rope_channels = 30'720;
/// What most models add to the mean of squares.
inline constexpr float common_epsilon = 1e-6f;

/// Normalises and rotates in one pass, in place but for own chunks ("norm_rope_kernel"):
///   y = x / sqrt(mean(x^2) + epsilon) w    (no such step for scope none)
///   (y_a, y_b) -> (y_a cos - y_b sin, y_b cos + y_a sin)    for each pair (a, b) of channels
/// Pair i < head_dim / 2 takes cos and sin at [position][i][0] and [1] of `cos_sin`, (positions,
/// head_dim / 2, 2) in device memory. Arithmetic in float, rounded to bf16 once, in the same steps
/// on every device: the same bits, but for NaNs, which stay NaNs.
///
/// RMSNorm: Zhang and Sennrich, "Root Mean Square Layer Normalization", NeurIPS 2019, equation 4.
/// RoPE: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding",
/// arXiv:2104.09864, equation 34, whose pairs are the interleaved ones; the other pairs are those
/// of EleutherAI/gpt-neox (`rotate_half`).
///
/// All tensors have one `head_dim`, a multiple of 16 up to 512; for scope head it is 16 times a
/// power of two. Rows have up to 30,720 channels. Data, targets and tables lie at multiples of 16
/// bytes, and so do rows. Tensors, chunks and tables must not overlap each other. A tensor without
/// rows or heads counts for nothing.
///
/// Throws `std::length_error` for more than `max_norm_rope_tensors`, `std::out_of_range` for
/// positions that the table lacks or chunks of heads that the tensor lacks, `std::invalid_argument`
/// for sizes and places other than these.
kernel_call norm_rope(std::vector<norm_rope_tensor> tensors, norm_scope scope, rope_style style,
                      const float* cos_sin, std::int64_t positions, float epsilon);

}  // namespace ithaca::kernels
