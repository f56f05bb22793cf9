#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backend/head_layout.hpp"

namespace ithaca {

enum class direction { scatter, gather };

/// Distances in bytes between the batches and the rows of a tensor. Heads and head channels are
/// contiguous inside a row; a row may be wider than its heads (a view of a fused projection).
struct tensor_strides {
  std::size_t batch_bytes = 0;
  std::size_t row_bytes = 0;
  bool operator==(const tensor_strides&) const = default;
};

/// The part of a rank's source that one submit moves: rows of its sequence (scatter: local rows,
/// gather: global rows) and heads (scatter: global heads, gather: the rank's own), in every batch.
struct slice {
  index_range rows;
  index_range heads;
  bool operator==(const slice&) const = default;
};

/// `height` rows of `width` bytes for `peer`: from an offset in the source, to an offset in the
/// peer's target.
struct pitched_copy {
  int peer = 0;
  std::size_t source_offset = 0;
  std::size_t source_pitch = 0;
  std::size_t target_offset = 0;
  std::size_t target_pitch = 0;
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t bytes() const { return width * height; }
  bool operator==(const pitched_copy&) const = default;
};

/// One tensor's side of an exchange.
struct tensor_geometry {
  head_layout layout;
  head_set heads = head_set::query;
  direction way = direction::scatter;
  bool operator==(const tensor_geometry&) const = default;

  /// Shape of `rank`'s source and target, as rows and heads a batch.
  slice whole_source(int rank) const;
  slice whole_target(int rank) const;
  tensor_strides contiguous_source(int rank) const;
  tensor_strides contiguous_target(int rank) const;
  std::size_t source_bytes(int rank) const;
  std::size_t target_bytes(int rank) const;
  /// Bytes that leave `rank` for others in one exchange of the whole tensor.
  std::size_t peer_bytes(int rank) const;
};

/// The copies that move `part` of `rank`'s source, laid out by `source`, into the contiguous
/// final-layout targets of all ranks: by peer from 0, then by batch; empty copies are left out.
/// Throws `std::out_of_range` if `part` leaves the source.
std::vector<pitched_copy> plan_exchange(const tensor_geometry& tensor, int rank, const slice& part,
                                        const tensor_strides& source);

}  // namespace ithaca
