#pragma once

#include <cstdint>
#include <vector>

#include "kernels/norm_rope.hpp"

namespace ithaca::kernels {

/// Heads that one thread takes. All its loads are issued before anything is done with them.
inline constexpr std::uint32_t heads_per_lane = 4;
inline constexpr std::uint32_t lanes_per_warp = 32;
inline constexpr std::uint32_t norm_rope_threads = 128;
/// Of a block that takes a row.
inline constexpr std::uint32_t max_norm_rope_threads = 512;

/// What `norm_rope` was asked for, once it is known to be right: at least one tensor, and none
/// that is empty. For its forms only.
///
/// Threads of a block are lanes (`norm_rope_lane`): lane l holds vector l % `vectors` of the heads
/// whose number is l / `vectors`, plus multiples of a step. Lanes past the last whole group of
/// `vectors` hold nothing. A row's sum is taken in this order on every device, so all use it.
struct norm_rope_work {
  std::vector<norm_rope_tensor> tensors;
  norm_scope scope = norm_scope::none;
  rope_style style = rope_style::neox;
  const float* cos_sin = nullptr;
  float epsilon = 0;

  std::uint32_t head_dim() const { return static_cast<std::uint32_t>(tensors.front().head_dim); }
  /// Lanes of a head.
  std::uint32_t vectors() const { return head_dim() / 16; }
  /// Lanes of a block; for scope hidden a block takes a row, and the longest must fit.
  std::uint32_t threads() const {
    if (scope != norm_scope::hidden) return norm_rope_threads;
    std::uint32_t most = 0;
    for (const norm_rope_tensor& each : tensors) {
      const std::uint32_t lanes = groups_for(each) * vectors();
      if (lanes > most) most = lanes;
    }
    return (most + lanes_per_warp - 1) / lanes_per_warp * lanes_per_warp;
  }
  /// Whole groups of a block: heads that it holds at a time.
  std::uint32_t groups() const { return threads() / vectors(); }
  /// Groups that take a row's heads.
  static std::uint32_t groups_for(const norm_rope_tensor& of) {
    return (static_cast<std::uint32_t>(of.heads) + heads_per_lane - 1) / heads_per_lane;
  }
};

}  // namespace ithaca::kernels
