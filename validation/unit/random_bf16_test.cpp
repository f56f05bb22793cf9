#include "kernels/random_bf16.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "validation/unit/bf16_values.hpp"
#include "validation/unit/shifted_buffer.hpp"

namespace ithaca::kernels {
namespace {

std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// The definition, written a second time: one element, in double precision, rounded by comparing
/// with its neighbours.
std::uint16_t expected_bits(std::uint64_t seed, std::uint64_t row, std::uint64_t column,
                            double scale) {
  const std::uint64_t row_seed = mixed(mixed(seed + 1) ^ row);
  const std::uint64_t word = mixed(row_seed + column / 4 * 0x9e3779b97f4a7c15ull);
  const std::uint64_t bits = word >> (16 * (column % 4)) & 0xffff;
  const double value = ((static_cast<double>(bits) + 0.5) / 32'768 - 1) * scale;
  const double unit = std::ldexp(1.0, std::ilogb(value) - 7);  // of bf16's 8 significant bits
  return to_bf16(static_cast<float>(std::nearbyint(value / unit) * unit));
}

TEST(random_bf16_kernel, writes_what_its_definition_says_and_nothing_else) {
  struct random_case {
    std::int64_t rows, columns;
    std::size_t gap, past;
  };
  for (const auto& [rows, columns, gap, past] :
       {random_case{1, 1, 0, 0}, {3, 7, 0, 2}, {4, 8, 16, 0}, {5, 21, 6, 4}, {2, 1030, 0, 0}}) {
    const std::size_t row_bytes = 2 * static_cast<std::size_t>(columns) + gap;
    shifted_buffer buffer(static_cast<std::size_t>(rows) * row_bytes, past);
    const kernel_call call = random_bf16({buffer.data(), rows, columns, row_bytes}, 99, 0.75f, 41);
    EXPECT_EQ(call.name, "random_bf16_kernel");
    call.host();
    for (std::int64_t row = 0; row < rows; ++row) {
      std::byte* at = buffer.data() + static_cast<std::size_t>(row) * row_bytes;
      for (std::int64_t column = 0; column < columns; ++column, at += 2) {
        ASSERT_EQ(bits_at(at), expected_bits(99, 41 + static_cast<std::uint64_t>(row),
                                             static_cast<std::uint64_t>(column), 0.75))
            << row << ", " << column;
      }
      for (std::size_t between = 0; between < gap; ++between) {
        ASSERT_EQ(at[between], std::byte{0x5a});
      }
    }
    ASSERT_EQ(call.writes.size(), 1u);
    EXPECT_EQ(call.writes[0].width * call.writes[0].height,
              static_cast<std::size_t>(2 * rows * columns));
    EXPECT_TRUE(call.reads.empty());
  }
}

std::vector<std::byte> contents(std::int64_t rows, std::int64_t columns, std::uint64_t seed,
                                float scale, std::int64_t first_row = 0) {
  const std::size_t row_bytes = 2 * static_cast<std::size_t>(columns);
  std::vector<std::byte> made(static_cast<std::size_t>(rows) * row_bytes);
  random_bf16({made.data(), rows, columns, row_bytes}, seed, scale, first_row).host();
  return made;
}

TEST(random_bf16_kernel, makes_any_rows_again_anywhere) {
  const auto whole = contents(10, 24, 5, 1);
  const auto part = contents(3, 24, 5, 1, 6);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 6 * 48));
  EXPECT_NE(contents(3, 24, 5, 1, 7), part);
  EXPECT_NE(contents(3, 24, 6, 1, 6), part);
  // Narrower rows begin alike: a column's value does not depend on how many there are.
  const auto narrow = contents(1, 5, 5, 1, 6);
  EXPECT_TRUE(std::equal(narrow.begin(), narrow.end(), part.begin()));
}

TEST(random_bf16_kernel, is_uniform_and_without_correlation_between_neighbours) {
  constexpr std::int64_t rows = 400;
  constexpr std::int64_t columns = 500;
  const float scale = 2;
  const auto made = contents(rows, columns, 1, scale);
  const auto value = [&](std::int64_t row, std::int64_t column) {
    return double{value_at(made.data() + 2 * (row * columns + column))};
  };
  double sum = 0, squares = 0, beside = 0, below = 0;
  int upper_quarter = 0;
  for (std::int64_t row = 0; row + 1 < rows; ++row) {
    for (std::int64_t column = 0; column + 1 < columns; ++column) {
      const double here = value(row, column);
      ASSERT_LE(std::abs(here), scale);
      sum += here;
      squares += here * here;
      beside += here * value(row, column + 1);
      below += here * value(row + 1, column);
      upper_quarter += here > scale / 2 ? 1 : 0;
    }
  }
  const double count = (rows - 1) * (columns - 1);
  const double variance = scale * scale / 3;
  const double five_sigma = 5 / std::sqrt(count);
  EXPECT_NEAR(sum / count, 0, five_sigma * std::sqrt(variance));
  EXPECT_NEAR(squares / count, variance, five_sigma * variance);
  EXPECT_NEAR(beside / count, 0, five_sigma * variance);
  EXPECT_NEAR(below / count, 0, five_sigma * variance);
  EXPECT_NEAR(upper_quarter / count, 0.25, five_sigma);
}

TEST(random_bf16_kernel, stays_within_any_scale) {
  // The nearest bf16 of this one lies above it.
  const float scale = 1.0045f;
  ASSERT_GT(from_bf16(to_bf16(scale)), scale);
  float largest = 0;
  const auto made = contents(100, 1000, 1, scale);
  for (std::size_t at = 0; at < made.size(); at += 2) {
    largest = std::max(largest, std::abs(value_at(made.data() + at)));
  }
  EXPECT_EQ(largest, 1);
  const auto zeros = contents(2, 8, 1, 0);
  for (std::size_t at = 0; at < zeros.size(); at += 2) EXPECT_EQ(value_at(zeros.data() + at), 0);
}

TEST(random_bf16_kernel, refuses_what_it_cannot_write) {
  alignas(2) std::byte bytes[64];
  const bf16_matrix fits = {bytes, 2, 8, 16};
  EXPECT_NO_THROW(random_bf16(fits, 1, 1, 0));
  EXPECT_THROW(random_bf16(fits, 1, -1, 0), std::invalid_argument);
  EXPECT_THROW(random_bf16(fits, 1, std::numeric_limits<float>::infinity()), std::invalid_argument);
  EXPECT_THROW(random_bf16(fits, 1, std::numeric_limits<float>::quiet_NaN()),
               std::invalid_argument);
  EXPECT_THROW(random_bf16(fits, 1, 1, -1), std::invalid_argument);
  EXPECT_THROW(random_bf16({bytes, 2, 8, 15}, 1, 1), std::invalid_argument);
  EXPECT_THROW(random_bf16({bytes, 2, 8, 17}, 1, 1), std::invalid_argument);
  EXPECT_THROW(random_bf16({bytes + 1, 2, 8, 16}, 1, 1), std::invalid_argument);
  EXPECT_THROW(random_bf16({bytes, -1, 8, 16}, 1, 1), std::invalid_argument);
  EXPECT_TRUE(random_bf16({nullptr, 0, 8, 16}, 1, 1).writes.empty());
}

TEST(bf16, rounds_to_the_nearest_and_even) {
  EXPECT_EQ(to_bf16(1.0f), 0x3f80);
  EXPECT_EQ(to_bf16(1.00390625f), 0x3f80);  // half a unit above an even one
  EXPECT_EQ(to_bf16(std::nextafter(1.00390625f, 2.0f)), 0x3f81);
  EXPECT_EQ(to_bf16(1.01171875f), 0x3f82);  // half a unit above an odd one
  EXPECT_EQ(to_bf16(-0.0f), 0x8000);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(to_bf16(std::numeric_limits<float>::infinity()), 0x7f80);
  EXPECT_TRUE(std::isnan(from_bf16(to_bf16(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_TRUE(std::isnan(from_bf16(to_bf16(std::bit_cast<float>(0x7f80'0001u)))));
  EXPECT_TRUE(std::isnan(from_bf16(to_bf16(std::bit_cast<float>(0x7fff'ffffu)))));
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = from_bf16(static_cast<std::uint16_t>(bits));
    if (!std::isnan(value)) {
      ASSERT_EQ(to_bf16(value), bits);
    }
  }
}

}  // namespace
}  // namespace ithaca::kernels
