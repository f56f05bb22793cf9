#include "backend/head_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "backend/errors.hpp"
#include "validation/unit/random_layouts.hpp"

namespace ithaca {
namespace {

constexpr int random_layouts_tried = 3000;

std::string refusal(const head_layout::extent& of) {
  try {
    head_layout layout(of);
  } catch (const invalid_use& error) {
    return error.what();
  }
  return "accepted";
}

TEST(even_shares, differ_by_one_at_most_and_the_first_take_the_remainder) {
  EXPECT_EQ(even_shares(10, 4), (std::vector<std::int64_t>{3, 3, 2, 2}));
  EXPECT_EQ(even_shares(8, 4), (std::vector<std::int64_t>{2, 2, 2, 2}));
  EXPECT_EQ(even_shares(2, 3), (std::vector<std::int64_t>{1, 1, 0}));
}

TEST(index_range, intersections_are_what_both_hold) {
  EXPECT_EQ(intersect({2, 5}, {4, 9}), (index_range{4, 3}));
  EXPECT_EQ(intersect({4, 9}, {2, 5}), (index_range{4, 3}));
  EXPECT_EQ(intersect({0, 10}, {3, 2}), (index_range{3, 2}));
  EXPECT_EQ(intersect({0, 3}, {3, 2}).count, 0);
  EXPECT_EQ(intersect({0, 3}, {7, 2}).count, 0);
}

TEST(head_layout, refuses_what_cannot_be_shared_and_says_why) {
  const head_layout::extent good = {1, {4, 4}, 4, 2, 8, element_type::bf16};
  EXPECT_EQ(refusal(good), "accepted");
  const auto with = [&](auto change) {
    head_layout::extent of = good;
    change(of);
    return refusal(of);
  };
  using extent = head_layout::extent;
  EXPECT_EQ(with([](extent& of) { of.sequence_shares.clear(); }),
            "a layout needs at least one rank");
  EXPECT_EQ(with([](extent& of) { of.sequence_shares = {4, -1}; }), "a sequence share is negative");
  EXPECT_EQ(with([](extent& of) {
              of.sequence_shares = {0, 0};
            }),
            "a layout needs at least one token");
  const char* const sizes = "batch, heads and head size must be positive";
  EXPECT_EQ(with([](extent& of) { of.batch = 0; }), sizes);
  EXPECT_EQ(with([](extent& of) { of.query_heads = 0; }), sizes);
  EXPECT_EQ(with([](extent& of) { of.kv_heads = 0; }), sizes);
  EXPECT_EQ(with([](extent& of) { of.kv_heads = -2; }), sizes);
  EXPECT_EQ(with([](extent& of) { of.head_dim = 0; }), sizes);
  EXPECT_EQ(with([](extent& of) { of.kv_heads = 3; }),
            "4 query heads are no multiple of 3 KV heads");
  EXPECT_EQ(with([](extent& of) {
              of.sequence_shares = {1, 1, 1, 1, 1};
            }),
            "4 query heads can't be shared by 5 ranks: use a degree of at most the query heads");
}

TEST(head_layout, lets_two_ranks_read_one_kv_head) {
  const head_layout layout = seven_kv_heads_on_four_ranks();
  const index_range kv[] = {{0, 2}, {1, 3}, {3, 3}, {5, 2}};
  for (int rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(layout.heads(head_set::query, rank), (index_range{7 * rank, 7})) << rank;
    EXPECT_EQ(layout.heads(head_set::kv, rank), kv[rank]) << rank;
  }
}

TEST(head_layout, shares_fewer_kv_heads_than_ranks) {
  const head_layout layout({1, even_shares(8, 4), 8, 2, 16, element_type::bf16});
  for (int rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(layout.heads(head_set::kv, rank), (index_range{rank / 2, 1})) << rank;
  }
}

TEST(head_layout, keeps_kv_groups_whole_where_they_divide_evenly) {
  const head_layout layout({1, even_shares(8, 2), 12, 4, 16, element_type::bf16});
  EXPECT_EQ(layout.heads(head_set::query, 1), (index_range{6, 6}));
  EXPECT_EQ(layout.heads(head_set::kv, 1), (index_range{2, 2}));
}

/// Whether consecutive ranges cover [0, total) without a gap or an overlap.
bool partition(const std::vector<index_range>& ranges, std::int64_t total) {
  std::int64_t at = 0;
  for (const index_range& range : ranges) {
    if (range.begin != at || range.count < 0) return false;
    at = range.end();
  }
  return at == total;
}

/// Whether no range is empty, and none is larger than another by more than one.
bool balanced(const std::vector<index_range>& ranges) {
  const auto [least, most] = std::ranges::minmax(ranges, {}, &index_range::count);
  return least.count >= 1 && most.count - least.count <= 1;
}

TEST(head_layout, divides_tokens_and_query_heads_over_the_ranks) {
  draws draw(1);
  for (int i = 0; i < random_layouts_tried; ++i) {
    const head_layout layout = random_layout(draw);
    std::vector<index_range> tokens, query;
    for (int rank = 0; rank < layout.degree(); ++rank) {
      tokens.push_back(layout.sequence(rank));
      query.push_back(layout.heads(head_set::query, rank));
    }
    ASSERT_TRUE(partition(tokens, layout.tokens())) << layout;
    ASSERT_TRUE(partition(query, layout.head_count(head_set::query))) << layout;
    ASSERT_TRUE(balanced(query)) << layout;
  }
}

TEST(head_layout, control_shares_rounded_up_leave_a_rank_without_heads) {
  // 9 heads of 4 ranks: 3 each, as far as they go.
  EXPECT_FALSE(balanced({{0, 3}, {3, 3}, {6, 3}, {9, 0}}));
  EXPECT_TRUE(balanced({{0, 3}, {3, 2}, {5, 2}, {7, 2}}));
}

TEST(head_layout, control_shares_of_padded_tokens_are_more_than_there_are) {
  // 10 tokens of 4 ranks, padded to 12.
  EXPECT_FALSE(partition({{0, 3}, {3, 3}, {6, 3}, {9, 3}}, 10));
  EXPECT_TRUE(partition({{0, 3}, {3, 3}, {6, 2}, {8, 2}}, 10));
}

/// The KV heads that a rank with these query heads reads, `group` of which share one.
std::set<std::int64_t> read_by(const index_range& query, std::int64_t group) {
  std::set<std::int64_t> read;
  for (std::int64_t head = query.begin; head < query.end(); ++head) read.insert(head / group);
  return read;
}

std::set<std::int64_t> heads_of(const index_range& range) {
  std::set<std::int64_t> held;
  for (std::int64_t head = range.begin; head < range.end(); ++head) held.insert(head);
  return held;
}

TEST(head_layout, gives_each_rank_exactly_the_kv_heads_that_its_query_heads_read) {
  draws draw(2);
  for (int i = 0; i < random_layouts_tried; ++i) {
    const head_layout layout = random_layout(draw);
    const std::int64_t group = layout.head_count(head_set::query) / layout.head_count(head_set::kv);
    for (int rank = 0; rank < layout.degree(); ++rank) {
      ASSERT_EQ(heads_of(layout.heads(head_set::kv, rank)),
                read_by(layout.heads(head_set::query, rank), group))
          << layout << ", rank " << rank;
    }
  }
}

TEST(head_layout, control_kv_heads_shared_apart_from_query_heads_are_not_those_that_are_read) {
  // 28 query and 7 KV heads of 4 ranks, each divided by itself: rank 1 has 2 and 3, and reads 1.
  EXPECT_NE(heads_of({2, 2}), read_by({7, 7}, 4));
  EXPECT_EQ(heads_of({1, 3}), read_by({7, 7}, 4));
}

TEST(head_layout, knows_whether_all_pairs_exchange_equally_much) {
  draws draw(3);
  int even = 0;
  for (int i = 0; i < random_layouts_tried; ++i) {
    const head_layout layout = random_layout(draw);
    std::set<std::int64_t> query, kv;
    for (int from = 0; from < layout.degree(); ++from) {
      for (int to = 0; to < layout.degree(); ++to) {
        const std::int64_t tokens = layout.sequence(from).count;
        query.insert(tokens * layout.heads(head_set::query, to).count);
        kv.insert(tokens * layout.heads(head_set::kv, to).count);
      }
    }
    ASSERT_EQ(layout.even(), query.size() == 1 && kv.size() == 1) << layout;
    even += layout.even();
  }
  EXPECT_GT(even, random_layouts_tried / 100);
  EXPECT_LT(even, random_layouts_tried / 2);
}

TEST(head_layout, counts_the_bytes_before_and_after) {
  const head_layout layout = seven_kv_heads_on_four_ranks();
  EXPECT_EQ(layout.head_bytes(), 10u);
  EXPECT_EQ(layout.sequence_parallel_bytes(head_set::query, 2), 2u * 5 * 28 * 10);
  EXPECT_EQ(layout.sequence_parallel_bytes(head_set::kv, 1), 0u);
  EXPECT_EQ(layout.head_parallel_bytes(head_set::kv, 1), 2u * 9 * 3 * 10);
}

}  // namespace
}  // namespace ithaca
