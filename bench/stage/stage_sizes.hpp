#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/exchanger.hpp"
#include "bench/scenario.hpp"
#include "bench/stage/qkv_tensor.hpp"
#include "kernels/norm_rope.hpp"

namespace ithaca::bench {

/// Empty, or why the scenario's stage can't be run.
std::string why_no_stage(const scenario& of);

/// The sizes of one attention layer's stage before attention: the projection of (rows, hidden) to
/// rows of Q, K and V heads side by side, bf16, and what becomes of them.
class stage_sizes {
 public:
  /// Stages of consecutive samples read other rows: this many more than one of them takes.
  static constexpr std::int64_t window = 7;

  /// `of` has a stage (`why_no_stage`).
  explicit stage_sizes(const scenario& of);

  const head_layout& layout() const { return layout_; }
  std::int64_t hidden() const { return hidden_; }
  std::int64_t head_dim() const { return layout_.head_dim(); }
  std::int64_t batch() const { return layout_.batch(); }
  kernels::norm_scope norm() const { return norm_; }

  /// Rows a batch that a stage on `rank` projects.
  std::int64_t rows(int rank) const { return layout_.sequence(rank).count; }
  /// And those that its samples read together.
  std::int64_t stored_rows(int rank) const { return rows(rank) + window; }
  /// Where `rank`'s first stored row stands; no two ranks' rows share a position.
  std::int64_t first_position(int rank) const;
  std::int64_t positions() const;

  std::int64_t heads(qkv_tensor tensor) const;
  /// The tensor's first head among those of Q, K and V, which lie side by side.
  std::int64_t first_head(qkv_tensor tensor) const;
  std::int64_t all_heads() const;
  std::int64_t columns() const { return all_heads() * head_dim(); }
  std::size_t head_bytes() const { return layout_.head_bytes(); }
  std::size_t row_bytes() const { return static_cast<std::size_t>(all_heads()) * head_bytes(); }
  std::size_t hidden_bytes() const { return 2 * static_cast<std::size_t>(hidden_); }

  /// Empty, or why the heads can't be exchanged in `parts` parts.
  std::string why_not_in_parts(int parts) const;
  /// The layout of one of `parts` equal parts of the heads.
  head_layout layout_of_part(int parts) const;
  /// The heads of a part among the tensor's.
  index_range heads_of_part(qkv_tensor tensor, int part, int parts) const;
  /// What a stage exchanges: of each part V, Q and K.
  std::vector<tensor_spec> specs(int parts, own_chunk own) const;

 private:
  head_layout layout_;
  std::int64_t hidden_;
  kernels::norm_scope norm_;
};

}  // namespace ithaca::bench
