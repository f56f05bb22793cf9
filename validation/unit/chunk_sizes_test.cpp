#include "backend/chunk_sizes.hpp"

#include <gtest/gtest.h>

namespace ithaca {
namespace {

/// Two ranks, 3 + 2 tokens, 2 + 1 heads of 8 bytes.
tensor_spec uneven(const char* tag) {
  const head_layout layout({1, {3, 2}, 3, 3, 8, element_type::fp8});
  return {tag, {layout, head_set::query, direction::scatter}};
}

TEST(chunk_sizes, are_tokens_by_heads) {
  const std::vector<tensor_spec> one = {uneven("q")};
  EXPECT_EQ(whole_chunk_bytes(one, 0, 0), 3u * 2 * 8);
  EXPECT_EQ(whole_chunk_bytes(one, 0, 1), 3u * 1 * 8);
  EXPECT_EQ(whole_chunk_bytes(one, 1, 0), 2u * 2 * 8);
  EXPECT_EQ(whole_chunk_bytes(one, 1, 1), 2u * 1 * 8);
}

TEST(chunk_sizes, add_up_over_tensors_that_travel_together) {
  const std::vector<tensor_spec> two = {uneven("q"), uneven("k")};
  EXPECT_EQ(whole_chunk_bytes(two, 1, 0), 2u * 2 * 2 * 8);
  EXPECT_EQ(largest_chunk_bytes(two), 2u * 3 * 2 * 8);
}

TEST(chunk_sizes, count_as_padding_what_leaves_a_rank) {
  const std::vector<tensor_spec> one = {uneven("q")};
  EXPECT_EQ(padded_bytes(one, 0), 48u - 24);  // not the own chunk's
  EXPECT_EQ(padded_bytes(one, 1), 48u - 32);
}

TEST(chunk_sizes, of_no_tensors_are_nothing) {
  EXPECT_EQ(whole_chunk_bytes({}, 0, 1), 0u);
  EXPECT_EQ(largest_chunk_bytes({}), 0u);
  EXPECT_EQ(padded_bytes({}, 0), 0u);
}

TEST(chunk_sizes, know_no_padding_of_even_shares) {
  const head_layout layout({2, {4, 4}, 4, 4, 8, element_type::fp8});
  const std::vector<tensor_spec> even = {{"q", {layout, head_set::query, direction::scatter}}};
  EXPECT_EQ(padded_bytes(even, 0) + padded_bytes(even, 1), 0u);
}

}  // namespace
}  // namespace ithaca
