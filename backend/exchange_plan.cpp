#include "backend/exchange_plan.hpp"

#include <stdexcept>

namespace ithaca {
namespace {

tensor_strides contiguous(const slice& shape, std::size_t head_bytes) {
  const auto row = static_cast<std::size_t>(shape.heads.count) * head_bytes;
  return {static_cast<std::size_t>(shape.rows.count) * row, row};
}

bool inside(const index_range& part, const index_range& whole) {
  return part.begin >= whole.begin && part.begin <= whole.end() && part.count >= 0 &&
         part.count <= whole.end() - part.begin;
}

}  // namespace

// Source and target are described in global coordinates: which tokens and which heads a rank
// holds. A copy to a peer is then the intersection of the part with what the peer's target holds.

slice tensor_geometry::whole_source(int rank) const {
  return way == direction::scatter
             ? slice{{0, layout.sequence(rank).count}, {0, layout.head_count(heads)}}
             : slice{{0, layout.tokens()}, {0, layout.heads(heads, rank).count}};
}

slice tensor_geometry::whole_target(int rank) const {
  return tensor_geometry{layout, heads,
                         way == direction::scatter ? direction::gather : direction::scatter}
      .whole_source(rank);
}

tensor_strides tensor_geometry::contiguous_source(int rank) const {
  return contiguous(whole_source(rank), layout.head_bytes());
}

tensor_strides tensor_geometry::contiguous_target(int rank) const {
  return contiguous(whole_target(rank), layout.head_bytes());
}

std::size_t tensor_geometry::source_bytes(int rank) const {
  return static_cast<std::size_t>(layout.batch()) * contiguous_source(rank).batch_bytes;
}

std::size_t tensor_geometry::target_bytes(int rank) const {
  return static_cast<std::size_t>(layout.batch()) * contiguous_target(rank).batch_bytes;
}

std::size_t tensor_geometry::peer_bytes(int rank) const {
  std::size_t bytes = 0;
  for (const pitched_copy& copy :
       plan_exchange(*this, rank, whole_source(rank), contiguous_source(rank))) {
    if (copy.peer != rank) bytes += copy.bytes();
  }
  return bytes;
}

std::vector<pitched_copy> plan_exchange(const tensor_geometry& tensor, int rank, const slice& part,
                                        const tensor_strides& source) {
  const slice whole = tensor.whole_source(rank);
  if (!inside(part.rows, whole.rows) || !inside(part.heads, whole.heads)) {
    throw std::out_of_range("the slice leaves the rank's source tensor");
  }
  const head_layout& layout = tensor.layout;
  const bool scatter = tensor.way == direction::scatter;
  const std::size_t head_bytes = layout.head_bytes();
  // Global coordinates of the source's first row and head.
  const std::int64_t first_row = scatter ? layout.sequence(rank).begin : 0;
  const std::int64_t first_head = scatter ? 0 : layout.heads(tensor.heads, rank).begin;
  const index_range rows{part.rows.begin + first_row, part.rows.count};
  const index_range heads{part.heads.begin + first_head, part.heads.count};

  std::vector<pitched_copy> copies;
  for (int peer = 0; peer < layout.degree(); ++peer) {
    const index_range peer_rows = scatter ? index_range{0, layout.tokens()} : layout.sequence(peer);
    const index_range peer_heads = scatter ? layout.heads(tensor.heads, peer)
                                           : index_range{0, layout.head_count(tensor.heads)};
    const index_range common_rows = intersect(rows, peer_rows);
    const index_range common_heads = intersect(heads, peer_heads);
    if (common_rows.count == 0 || common_heads.count == 0) continue;

    const tensor_strides target = tensor.contiguous_target(peer);
    for (std::int64_t batch = 0; batch < layout.batch(); ++batch) {
      const auto at = [&](const tensor_strides& strides, std::int64_t row, std::int64_t head) {
        return static_cast<std::size_t>(batch) * strides.batch_bytes +
               static_cast<std::size_t>(row) * strides.row_bytes +
               static_cast<std::size_t>(head) * head_bytes;
      };
      copies.push_back(
          {peer, at(source, common_rows.begin - first_row, common_heads.begin - first_head),
           source.row_bytes,
           at(target, common_rows.begin - peer_rows.begin, common_heads.begin - peer_heads.begin),
           target.row_bytes, static_cast<std::size_t>(common_heads.count) * head_bytes,
           static_cast<std::size_t>(common_rows.count)});
    }
  }
  return copies;
}

}  // namespace ithaca
