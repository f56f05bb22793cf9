// Plans are carried out with plain loops on the tensors of all ranks at once. What must arrive is
// worked out from the global position of each byte, without the plan.

#include "backend/exchange_plan.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <stdexcept>

#include "validation/unit/random_layouts.hpp"

namespace ithaca {
namespace {

constexpr int layouts = 1200;

using bytes = std::vector<std::uint8_t>;

/// A number for each token's head, from which its bytes follow.
std::uint32_t identity(std::int64_t batch, std::int64_t token, std::int64_t head) {
  auto x = static_cast<std::uint32_t>(batch * 7919 + token * 104729 + head * 1299709);
  x ^= x >> 15;
  return x * 0x2c1b3c6du;
}

std::uint8_t content(std::uint32_t of_head, std::size_t at) {
  return static_cast<std::uint8_t>((of_head + static_cast<std::uint32_t>(at) * 0x9e3779b1u) >> 24);
}

/// Tokens and heads, in global numbers, that a rank's source (or target) holds.
slice held(const tensor_geometry& tensor, int rank, bool source) {
  const head_layout& layout = tensor.layout;
  if ((tensor.way == direction::scatter) == source) {
    return {layout.sequence(rank), {0, layout.head_count(tensor.heads)}};
  }
  return {{0, layout.tokens()}, layout.heads(tensor.heads, rank)};
}

/// A tensor that holds `what`, laid out by `strides`, and not a byte more.
bytes filled(const tensor_geometry& tensor, const slice& what, const tensor_strides& strides) {
  const std::size_t head_bytes = tensor.layout.head_bytes();
  bytes data;
  for (std::int64_t batch = 0; batch < tensor.layout.batch(); ++batch) {
    for (std::int64_t row = 0; row < what.rows.count; ++row) {
      const std::size_t begin = static_cast<std::size_t>(batch) * strides.batch_bytes +
                                static_cast<std::size_t>(row) * strides.row_bytes;
      data.resize(begin + static_cast<std::size_t>(what.heads.count) * head_bytes, 0xee);
      std::uint8_t* at = data.data() + begin;
      for (std::int64_t head = what.heads.begin; head < what.heads.end(); ++head) {
        const std::uint32_t of_head = identity(batch, what.rows.begin + row, head);
        for (std::size_t byte = 0; byte < head_bytes; ++byte) *at++ = content(of_head, byte);
      }
    }
  }
  return data;
}

/// The strides of a view of a wider tensor, of a contiguous one now and then.
tensor_strides random_strides(draws& draw, const tensor_geometry& tensor, int rank) {
  tensor_strides strides = tensor.contiguous_source(rank);
  if (draw.one_in(3)) return strides;
  strides.row_bytes += static_cast<std::size_t>(draw.up_to(40));
  strides.batch_bytes =
      strides.row_bytes * static_cast<std::size_t>(tensor.whole_source(rank).rows.count) +
      static_cast<std::size_t>(draw.up_to(60));
  return strides;
}

/// `whole` cut into up to `most` consecutive ranges, some of them empty.
std::vector<index_range> cut(draws& draw, const index_range& whole, std::int64_t most) {
  std::vector<index_range> parts;
  std::int64_t at = whole.begin;
  for (std::int64_t left = draw.between(1, most); left > 1; --left) {
    parts.push_back({at, draw.up_to(whole.end() - at)});
    at = parts.back().end();
  }
  parts.push_back({at, whole.end() - at});
  return parts;
}

/// Pieces that make up `whole`, in any order.
std::vector<slice> random_pieces(draws& draw, const slice& whole) {
  std::vector<slice> pieces;
  for (const index_range& rows : cut(draw, whole.rows, 3)) {
    for (const index_range& heads : cut(draw, whole.heads, 3)) pieces.push_back({rows, heads});
  }
  draw.shuffle(pieces);
  return pieces;
}

/// The targets of all ranks, and how often each of their bytes was written.
struct targets {
  explicit targets(const tensor_geometry& tensor) {
    for (int rank = 0; rank < tensor.layout.degree(); ++rank) {
      contents.emplace_back(tensor.target_bytes(rank), std::uint8_t{0x55});
      written.emplace_back(tensor.target_bytes(rank), std::uint8_t{0});
    }
  }

  /// Whether it stays inside both allocations.
  [[nodiscard]] bool carry_out(const pitched_copy& copy, const bytes& source) {
    bytes& target = contents[static_cast<std::size_t>(copy.peer)];
    if (copy.width == 0 || copy.height == 0) return false;
    if (copy.width > copy.source_pitch || copy.width > copy.target_pitch) return false;
    const std::size_t last = copy.height - 1;
    if (copy.source_offset + last * copy.source_pitch + copy.width > source.size()) return false;
    if (copy.target_offset + last * copy.target_pitch + copy.width > target.size()) return false;
    for (std::size_t row = 0; row < copy.height; ++row) {
      const std::size_t to = copy.target_offset + row * copy.target_pitch;
      std::memcpy(target.data() + to, source.data() + copy.source_offset + row * copy.source_pitch,
                  copy.width);
      std::uint8_t* count = written[static_cast<std::size_t>(copy.peer)].data() + to;
      for (std::size_t byte = 0; byte < copy.width; ++byte) ++count[byte];
    }
    return true;
  }

  std::vector<bytes> contents;
  std::vector<bytes> written;
};

/// Bytes that go from one rank to another, by what both hold.
std::size_t common_bytes(const tensor_geometry& tensor, int from, int to) {
  const slice source = held(tensor, from, true);
  const slice target = held(tensor, to, false);
  return static_cast<std::size_t>(tensor.layout.batch() *
                                  intersect(source.rows, target.rows).count *
                                  intersect(source.heads, target.heads).count) *
         tensor.layout.head_bytes();
}

/// Exchanges the whole tensor in random pieces from random strides and checks all that must hold.
void exchange_in_pieces(draws& draw, const tensor_geometry& tensor) {
  targets all(tensor);
  const int degree = tensor.layout.degree();
  for (int rank = 0; rank < degree; ++rank) {
    const tensor_strides strides = random_strides(draw, tensor, rank);
    const bytes source = filled(tensor, held(tensor, rank, true), strides);
    std::vector<std::size_t> sent(static_cast<std::size_t>(degree));
    for (const slice& piece : random_pieces(draw, tensor.whole_source(rank))) {
      int peer_before = 0;
      for (const pitched_copy& copy : plan_exchange(tensor, rank, piece, strides)) {
        ASSERT_TRUE(copy.peer >= peer_before && copy.peer < degree);
        ASSERT_TRUE(all.carry_out(copy, source)) << "rank " << rank << " to " << copy.peer;
        peer_before = copy.peer;
        sent[static_cast<std::size_t>(copy.peer)] += copy.bytes();
      }
    }
    std::size_t to_peers = 0;
    for (int peer = 0; peer < degree; ++peer) {
      ASSERT_EQ(sent[static_cast<std::size_t>(peer)], common_bytes(tensor, rank, peer));
      if (peer != rank) to_peers += sent[static_cast<std::size_t>(peer)];
    }
    ASSERT_EQ(tensor.peer_bytes(rank), to_peers);
  }
  for (int rank = 0; rank < degree; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    ASSERT_EQ(all.written[at], bytes(tensor.target_bytes(rank), 1)) << "rank " << rank;
    ASSERT_EQ(all.contents[at],
              filled(tensor, held(tensor, rank, false), tensor.contiguous_target(rank)))
        << "rank " << rank;
  }
}

TEST(exchange_plan, scatters_write_every_target_byte_once_with_what_belongs_there) {
  draws draw(11);
  for (int i = 0; i < layouts; ++i) {
    const head_layout layout = random_layout(draw);
    for (const head_set set : {head_set::query, head_set::kv}) {
      SCOPED_TRACE(testing::Message() << layout);
      ASSERT_NO_FATAL_FAILURE(exchange_in_pieces(draw, {layout, set, direction::scatter}));
    }
  }
}

TEST(exchange_plan, gathers_write_every_target_byte_once_with_what_belongs_there) {
  draws draw(12);
  for (int i = 0; i < layouts; ++i) {
    const head_layout layout = random_layout(draw);
    SCOPED_TRACE(testing::Message() << layout);
    ASSERT_NO_FATAL_FAILURE(exchange_in_pieces(draw, {layout, head_set::query, direction::gather}));
  }
}

TEST(exchange_plan, holds_for_kv_heads_that_go_to_two_ranks) {
  draws draw(13);
  const head_layout layout = seven_kv_heads_on_four_ranks();
  for (int i = 0; i < 20; ++i) {
    ASSERT_NO_FATAL_FAILURE(exchange_in_pieces(draw, {layout, head_set::kv, direction::scatter}));
  }
}

std::vector<bytes> exchanged(const tensor_geometry& tensor, const std::vector<bytes>& sources) {
  targets all(tensor);
  for (int rank = 0; rank < tensor.layout.degree(); ++rank) {
    for (const pitched_copy& copy :
         plan_exchange(tensor, rank, tensor.whole_source(rank), tensor.contiguous_source(rank))) {
      EXPECT_TRUE(all.carry_out(copy, sources[static_cast<std::size_t>(rank)]));
    }
  }
  return all.contents;
}

TEST(exchange_plan, a_gather_undoes_the_scatter_of_query_heads) {
  draws draw(14);
  for (int i = 0; i < layouts; ++i) {
    const tensor_geometry scatter = {random_layout(draw), head_set::query, direction::scatter};
    const tensor_geometry gather = {scatter.layout, head_set::query, direction::gather};
    std::vector<bytes> before;
    for (int rank = 0; rank < scatter.layout.degree(); ++rank) {
      before.push_back(filled(scatter, held(scatter, rank, true), scatter.contiguous_source(rank)));
    }
    ASSERT_EQ(exchanged(gather, exchanged(scatter, before)), before) << scatter.layout;
  }
}

TEST(exchange_plan, is_the_known_one_for_a_small_scatter) {
  // 2 heads of 4 bytes on 2 ranks with 3 and 1 tokens; rank 0's rows lie 24 bytes apart.
  const tensor_geometry tensor = {head_layout({1, {3, 1}, 2, 2, 2, element_type::bf16}),
                                  head_set::query, direction::scatter};
  EXPECT_EQ(plan_exchange(tensor, 0, tensor.whole_source(0), {100, 24}),
            (std::vector<pitched_copy>{{0, 0, 24, 0, 4, 4, 3}, {1, 4, 24, 0, 4, 4, 3}}));
  EXPECT_EQ(plan_exchange(tensor, 1, tensor.whole_source(1), tensor.contiguous_source(1)),
            (std::vector<pitched_copy>{{0, 0, 8, 12, 4, 4, 1}, {1, 4, 8, 12, 4, 4, 1}}));
  EXPECT_EQ(plan_exchange(tensor, 0, {{1, 2}, {1, 1}}, {100, 24}),
            (std::vector<pitched_copy>{{1, 28, 24, 4, 4, 4, 2}}));
  EXPECT_TRUE(plan_exchange(tensor, 0, {{1, 0}, {0, 2}}, {100, 24}).empty());
}

TEST(exchange_plan, refuses_slices_that_leave_the_source) {
  constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
  draws draw(15);
  for (int i = 0; i < 100; ++i) {
    const head_layout layout = random_layout(draw);
    for (const direction way : {direction::scatter, direction::gather}) {
      const tensor_geometry tensor = {layout, head_set::query, way};
      const auto rank = static_cast<int>(draw.up_to(layout.degree() - 1));
      const slice whole = tensor.whole_source(rank);
      const auto plan = [&](const slice& part) {
        return plan_exchange(tensor, rank, part, tensor.contiguous_source(rank));
      };
      EXPECT_NO_THROW(plan(whole));
      const auto beyond = [&](const index_range& range) {
        return std::vector<index_range>{{-1, 1},           {0, range.count + 1},
                                        {1, range.count},  {range.count + 1, 0},
                                        {range.count, -1}, {1, huge},
                                        {huge, huge}};
      };
      for (const index_range& rows : beyond(whole.rows)) {
        EXPECT_THROW(plan({rows, whole.heads}), std::out_of_range) << rows.begin << rows.count;
      }
      for (const index_range& heads : beyond(whole.heads)) {
        EXPECT_THROW(plan({whole.rows, heads}), std::out_of_range) << heads.begin << heads.count;
      }
    }
  }
}

}  // namespace
}  // namespace ithaca
