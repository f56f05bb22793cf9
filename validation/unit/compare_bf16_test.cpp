#include "kernels/compare_bf16.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "kernels/fill.hpp"
#include "kernels/random_bf16.hpp"
#include "validation/unit/bf16_values.hpp"
#include "validation/unit/shifted_buffer.hpp"

namespace ithaca::kernels {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// A target and what it must be like: `rows` x `columns`, both with gaps of their own.
struct compared {
  std::int64_t rows, columns;
  std::size_t target_pitch, expected_pitch;
  shifted_buffer target, expected;

  compared(std::int64_t row_count, std::int64_t column_count, std::size_t past = 0)
      : rows(row_count),
        columns(column_count),
        target_pitch(2 * static_cast<std::size_t>(columns) + 32),
        expected_pitch(2 * static_cast<std::size_t>(columns) + 64),
        target(static_cast<std::size_t>(rows) * target_pitch, past),
        expected(static_cast<std::size_t>(rows) * expected_pitch, past) {
    random_bf16({target.data(), rows, columns, target_pitch}, 3, 1).host();
    random_bf16({expected.data(), rows, columns, expected_pitch}, 3, 1).host();
  }

  std::vector<compared_block> blocks() {
    return {{0, target_pitch, expected.data(), expected_pitch, rows, columns}};
  }
  check_result checked(const bf16_tolerance& tolerance = {}) {
    check_result result;
    const kernel_call call = compare_bf16(target.data(), blocks(), tolerance, &result);
    EXPECT_EQ(call.name, "compare_bf16_kernel");
    call.host();
    return result;
  }
};

bool accepted(float value, float expected, const bf16_tolerance& tolerance) {
  compared pair(1, 1);
  put_value(pair.target.data(), value);
  put_value(pair.expected.data(), expected);
  const check_result result = pair.checked(tolerance);
  EXPECT_TRUE(result.mismatched_bytes == 0 || result.mismatched_bytes == 2);
  EXPECT_EQ(result.first_mismatch == check_result::no_mismatch, result.mismatched_bytes == 0);
  return result.mismatched_bytes == 0;
}

TEST(compare_bf16_kernel, finds_a_flipped_bit_in_any_element_without_tolerance) {
  for (const std::size_t past : {0u, 2u}) {
    compared pair(3, 19, past);
    EXPECT_EQ(pair.checked().mismatched_bytes, 0u);
    EXPECT_EQ(pair.checked().first_mismatch, check_result::no_mismatch);
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 19; ++column) {
        const std::size_t offset = row * pair.target_pitch + 2 * column;
        const std::uint16_t right = bits_at(pair.target.data() + offset);
        put_bits(pair.target.data() + offset,
                 static_cast<std::uint16_t>(right ^ (1u << (column % 16))));
        const check_result result = pair.checked();
        put_bits(pair.target.data() + offset, right);
        ASSERT_EQ(result.mismatched_bytes, 2u) << row << ", " << column;
        ASSERT_EQ(result.first_mismatch, offset);
      }
    }
  }
}

TEST(compare_bf16_kernel, counts_two_bytes_an_element_and_adds_up) {
  compared pair(40, 300);
  const std::size_t first = 7 * pair.target_pitch + 2 * 11;
  for (const std::size_t offset : {first + 90 * 2, first, first + 5 * pair.target_pitch}) {
    put_value(pair.target.data() + offset, 9);
  }
  check_result result = pair.checked();
  EXPECT_EQ(result.mismatched_bytes, 6u);
  EXPECT_EQ(result.first_mismatch, first);
  compare_bf16(pair.target.data(), pair.blocks(), {}, &result).host();
  EXPECT_EQ(result.mismatched_bytes, 12u);
  EXPECT_EQ(result.first_mismatch, first);
}

TEST(compare_bf16_kernel, never_accepts_poison) {
  compared pair(5, 24);
  poison(pair.target.data(), pair.target.size()).host();
  for (const bf16_tolerance& tolerance :
       {bf16_tolerance{}, {0.99f, 1e30f}, {0, std::numeric_limits<float>::max()}}) {
    const check_result result = pair.checked(tolerance);
    EXPECT_EQ(result.mismatched_bytes, 2u * 5 * 24);
    EXPECT_EQ(result.first_mismatch, 0u);
  }
  // Not even beside itself: what was expected was never written either.
  poison(pair.expected.data(), pair.expected.size()).host();
  EXPECT_EQ(pair.checked({0.5f, 1}).mismatched_bytes, 2u * 5 * 24);
}

TEST(compare_bf16_kernel, accepts_up_to_the_edge_of_its_tolerance) {
  // 1 and its neighbour above differ by 2^-7, of the larger of them.
  const float above = from_bf16(0x3f81);
  const float edge = 0.0078125f / above;
  EXPECT_TRUE(accepted(1, above, {std::nextafter(edge, 1.0f), 0}));
  EXPECT_FALSE(accepted(1, above, {std::nextafter(edge, 0.0f), 0}));
  EXPECT_TRUE(accepted(above, 1, {std::nextafter(edge, 1.0f), 0}));
  EXPECT_TRUE(accepted(1, above, {0, 0.0078125f}));
  EXPECT_FALSE(accepted(1, above, {0, std::nextafter(0.0078125f, 0.0f)}));
  // Both parts add up.
  EXPECT_FALSE(accepted(4, 5, {0.1f, 0.4f}));
  EXPECT_TRUE(accepted(4, 5, {0.1f, 0.5f}));
  EXPECT_TRUE(accepted(-4, -5, {0.2f, 0}) && !accepted(4, -5, {0.2f, 0}));
}

TEST(compare_bf16_kernel, knows_zeros_infinities_and_nan) {
  const bf16_tolerance wide = {0.5f, 1};
  EXPECT_TRUE(accepted(0, -0.0f, {}));
  EXPECT_TRUE(accepted(infinity, infinity, {}));
  EXPECT_FALSE(accepted(infinity, -infinity, wide));
  EXPECT_FALSE(accepted(infinity, 1, wide));
  EXPECT_FALSE(accepted(1, -infinity, wide));
  EXPECT_FALSE(accepted(nan, 1, wide));
  EXPECT_FALSE(accepted(1, nan, wide));
  EXPECT_FALSE(accepted(nan, nan, wide));
  EXPECT_FALSE(accepted(nan, infinity, wide));
  // Far apart, and not infinitely: the largest and its negative.
  const float largest = from_bf16(0x7f7f);
  EXPECT_FALSE(accepted(largest, -largest, {0.99f, 0}));
  EXPECT_TRUE(accepted(largest, 0.9f * largest, {0.2f, 0}));
}

TEST(compare_bf16_kernel, reads_and_judges_only_its_blocks) {
  compared pair(4, 16);
  pair.target[2 * pair.target_pitch - 1] ^= std::byte{1};  // between rows
  put_value(pair.target.data(), 9);
  std::vector<compared_block> blocks = pair.blocks();
  blocks[0].target_offset += pair.target_pitch;
  blocks[0].expected += pair.expected_pitch;
  blocks[0].rows = 3;
  check_result result;
  const kernel_call call = compare_bf16(pair.target.data(), blocks, {}, &result);
  call.host();
  EXPECT_EQ(result.mismatched_bytes, 0u);
  ASSERT_EQ(call.reads.size(), 2u);
  EXPECT_EQ(call.reads[0].data, pair.target.data() + pair.target_pitch);
  EXPECT_EQ(call.reads[1].data, pair.expected.data() + pair.expected_pitch);
  for (const pitched_bytes& range : call.reads) EXPECT_EQ(range.width * range.height, 2u * 3 * 16);
  EXPECT_TRUE(call.writes.empty());
  ASSERT_EQ(call.adds.size(), 1u);
  EXPECT_EQ(static_cast<const void*>(call.adds[0].data), &result);
}

TEST(compare_bf16_kernel, compares_every_block) {
  compared pair(64, 8);
  std::vector<compared_block> blocks;
  for (std::size_t row = 0; row < 64; ++row) {
    blocks.push_back({row * pair.target_pitch, pair.target_pitch,
                      pair.expected.data() + row * pair.expected_pitch, pair.expected_pitch, 1, 8});
  }
  put_value(pair.target.data() + 63 * pair.target_pitch + 14, 9);
  check_result result;
  compare_bf16(pair.target.data(), blocks, {}, &result).host();
  EXPECT_EQ(result.mismatched_bytes, 2u);
  EXPECT_EQ(result.first_mismatch, 63 * pair.target_pitch + 14);

  blocks.push_back(blocks[0]);
  EXPECT_THROW(compare_bf16(pair.target.data(), blocks, {}, &result), std::length_error);
  // One that has nothing to compare doesn't count.
  blocks.back().columns = 0;
  EXPECT_NO_THROW(compare_bf16(pair.target.data(), blocks, {}, &result));
}

TEST(compare_bf16_kernel, refuses_what_it_cannot_compare) {
  compared pair(4, 8);
  check_result result;
  const auto with = [&](auto change, const bf16_tolerance& tolerance = {}) {
    std::vector<compared_block> blocks = pair.blocks();
    change(blocks[0]);
    return compare_bf16(pair.target.data(), blocks, tolerance, &result);
  };
  const auto as_it_is = [](compared_block&) {};
  EXPECT_NO_THROW(with(as_it_is));
  EXPECT_THROW(with([](auto& block) { block.rows = -1; }), std::invalid_argument);
  EXPECT_THROW(with([](auto& block) { block.columns = -1; }), std::invalid_argument);
  EXPECT_THROW(with([](auto& block) { block.target_row_bytes = 14; }), std::invalid_argument);
  EXPECT_THROW(with([](auto& block) { block.expected_row_bytes = 14; }), std::invalid_argument);
  EXPECT_THROW(with([](auto& block) { block.target_offset = 1; }), std::invalid_argument);
  EXPECT_THROW(with([](auto& block) { block.expected += 1; }), std::invalid_argument);
  for (const bf16_tolerance& tolerance :
       {bf16_tolerance{-0.1f, 0}, {1, 0}, {nan, 0}, {0, -1}, {0, infinity}, {0, nan}}) {
    EXPECT_THROW(with(as_it_is, tolerance), std::invalid_argument);
  }
}

}  // namespace
}  // namespace ithaca::kernels
