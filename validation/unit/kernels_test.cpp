#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/check.hpp"
#include "kernels/delay.hpp"
#include "kernels/fill.hpp"
#include "kernels/move_regions.hpp"
#include "kernels/row_tiles.hpp"
#include "validation/unit/shifted_buffer.hpp"

namespace ithaca::kernels {
namespace {

std::byte expected_byte(const pattern_key& key, std::uint64_t at) {
  return static_cast<std::byte>(pattern_word(pattern_seed(key), at / 8) >> (8 * (at % 8)));
}

struct fill_case {
  tensor_shape shape;
  std::size_t batch_gap;
  std::size_t row_gap;
  std::size_t past;
};

TEST(fill_kernel, writes_the_pattern_in_logical_order_and_nothing_else) {
  const fill_case cases[] = {
      {{1, 1, 1, 1}, 0, 0, 0},        {{2, 3, 5, 7}, 0, 0, 0},    {{2, 3, 5, 7}, 11, 3, 5},
      {{3, 4, 2, 16}, 32, 48, 0},     {{3, 4, 2, 16}, 32, 48, 8}, {{2, 70, 6, 128}, 0, 256, 0},
      {{1, 3, 1, 20'000}, 0, 16, 0},  {{2, 9, 1, 3000}, 1, 0, 1}, {{2, 300, 1, 16}, 16, 0, 0},
      {{1, 2, 40, 256}, 0, 5120, 16}, {{2, 0, 4, 16}, 64, 0, 0},  {{0, 4, 4, 16}, 0, 0, 0},
  };
  for (const fill_case& test : cases) {
    const pattern_key key = {3, 1, 42};
    const std::size_t row_stride = test.shape.row_bytes() + test.row_gap;
    const std::size_t batch_stride =
        static_cast<std::size_t>(test.shape.rows) * row_stride + test.batch_gap;
    const std::size_t bytes = static_cast<std::size_t>(test.shape.batch) * batch_stride;
    shifted_buffer buffer(bytes, test.past);
    std::vector<std::byte> expected(bytes, std::byte{0x5a});
    std::uint64_t at = 0;
    for (std::int64_t batch = 0; batch < test.shape.batch; ++batch) {
      for (std::int64_t row = 0; row < test.shape.rows; ++row) {
        for (std::size_t byte = 0; byte < test.shape.row_bytes(); ++byte) {
          expected[static_cast<std::size_t>(batch) * batch_stride +
                   static_cast<std::size_t>(row) * row_stride + byte] = expected_byte(key, at++);
        }
      }
    }
    const kernel_call call = fill(buffer.data(), test.shape, batch_stride, row_stride, key);
    EXPECT_EQ(call.name, "fill_kernel");
    call.host();
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), buffer.data()))
        << test.shape.rows << " rows of " << test.shape.row_bytes() << " bytes";

    std::uint64_t declared = 0;
    for (const pitched_bytes& range : call.writes) declared += range.width * range.height;
    EXPECT_EQ(declared, test.shape.size_bytes());
  }
}

TEST(fill_kernel, contents_depend_on_every_part_of_the_key) {
  const tensor_shape shape = {1, 2, 3, 8};
  const auto contents = [&](const pattern_key& key) {
    std::vector<std::byte> bytes(shape.size_bytes());
    fill(bytes.data(), shape, shape.batch_bytes(), shape.row_bytes(), key).host();
    return bytes;
  };
  const auto reference = contents({1, 1, 1});
  EXPECT_NE(reference, contents({2, 1, 1}));
  EXPECT_NE(reference, contents({1, 2, 1}));
  EXPECT_NE(reference, contents({1, 1, 2}));
  EXPECT_EQ(reference, contents({1, 1, 1}));
}

TEST(fill_kernel, refuses_overlapping_rows_and_invalid_shapes) {
  std::byte byte;
  EXPECT_THROW(fill(&byte, {1, 2, 2, 8}, 32, 15, {}), std::invalid_argument);
  EXPECT_THROW(fill(&byte, {2, 2, 2, 8}, 31, 16, {}), std::invalid_argument);
  EXPECT_THROW(fill(&byte, {1, -1, 2, 8}, 32, 16, {}), std::invalid_argument);
  EXPECT_THROW(fill(&byte, {1, 1, 2, 0}, 32, 16, {}), std::invalid_argument);
}

TEST(poison_kernel, sets_every_byte_at_any_alignment) {
  for (std::size_t past = 0; past < 16; ++past) {
    for (const std::size_t bytes : {0u, 1u, 15u, 16u, 17u, 100u, 5000u}) {
      shifted_buffer buffer(bytes + 1, past);
      const kernel_call call = poison(buffer.data(), bytes);
      EXPECT_EQ(call.name, "poison_kernel");
      call.host();
      for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(buffer[i], std::byte{0xff});
      EXPECT_EQ(buffer[bytes], std::byte{0x5a});
    }
  }
}

/// Ranks that hold some heads of all rows each, and one target with some heads of all of them:
/// the target of a scatter over uneven sequence shares, or of a gather, by choice of the blocks.
struct composed_target {
  tensor_shape shape;
  std::vector<expected_block> blocks;
  shifted_buffer bytes;

  composed_target(std::int64_t batch, std::vector<std::int64_t> shares, std::int64_t source_heads,
                  std::int64_t first_head, std::int64_t heads, std::size_t head_bytes,
                  std::size_t past)
      : shape{batch, 0, heads, head_bytes}, bytes(0, 0) {
    for (const std::int64_t rows : shares) {
      blocks.push_back({.key = {static_cast<std::uint32_t>(blocks.size()), 2, 9},
                        .target_row = shape.rows,
                        .target_head = 0,
                        .rows = rows,
                        .heads = heads,
                        .source_row = 0,
                        .source_head = first_head,
                        .source_rows = rows,
                        .source_heads = source_heads});
      shape.rows += rows;
    }
    bytes = shifted_buffer(shape.size_bytes(), past);
    std::vector<copy_region> regions;
    std::vector<std::vector<std::byte>> sources;
    for (const expected_block& block : blocks) {
      const tensor_shape source = {batch, block.source_rows, source_heads, head_bytes};
      std::vector<std::byte>& data = sources.emplace_back(source.size_bytes());
      fill(data.data(), source, source.batch_bytes(), source.row_bytes(), block.key).host();
      for (std::int64_t b = 0; b < batch; ++b) {
        regions.push_back({data.data() + static_cast<std::size_t>(b) * source.batch_bytes() +
                               static_cast<std::size_t>(first_head) * head_bytes,
                           source.row_bytes(),
                           bytes.data() + static_cast<std::size_t>(b) * shape.batch_bytes() +
                               static_cast<std::size_t>(block.target_row) * shape.row_bytes(),
                           shape.row_bytes(), shape.row_bytes(),
                           static_cast<std::size_t>(block.rows)});
      }
    }
    relayout(regions).host();
  }

  check_result checked() {
    check_result result;
    const kernel_call call = check(bytes.data(), shape, blocks, &result);
    EXPECT_EQ(call.name, "check_kernel");
    call.host();
    return result;
  }
};

TEST(check_kernel, accepts_what_an_exchange_must_leave) {
  for (const std::size_t head_bytes : {1u, 3u, 8u, 16u, 24u, 256u}) {
    for (const std::size_t past : {0u, 1u, 8u}) {
      composed_target target(2, {5, 0, 37, 4}, 7, 2, 3, head_bytes, past);
      const check_result result = target.checked();
      EXPECT_EQ(result.mismatched_bytes, 0u) << head_bytes << " bytes a head, " << past;
      EXPECT_EQ(result.first_mismatch, check_result::no_mismatch);
    }
  }
}

TEST(check_kernel, finds_a_flipped_bit_in_any_byte) {
  for (const std::size_t head_bytes : {3u, 16u}) {
    composed_target target(2, {2, 3}, 3, 1, 2, head_bytes, head_bytes == 3 ? 5 : 0);
    for (std::size_t at = 0; at < target.bytes.size(); ++at) {
      const std::byte flipped{static_cast<unsigned char>(1u << (at % 8))};
      target.bytes[at] ^= flipped;
      const check_result result = target.checked();
      target.bytes[at] ^= flipped;
      ASSERT_EQ(result.mismatched_bytes, 1u) << "byte " << at;
      ASSERT_EQ(result.first_mismatch, at);
    }
  }
}

TEST(check_kernel, counts_every_wrong_byte_and_names_the_first) {
  composed_target target(2, {300, 200}, 4, 1, 2, 64, 0);
  target.bytes[70'003] ^= std::byte{1};
  target.bytes[70'001] ^= std::byte{0x80};
  target.bytes[120'000] ^= std::byte{0xff};
  check_result result = target.checked();
  EXPECT_EQ(result.mismatched_bytes, 3u);
  EXPECT_EQ(result.first_mismatch, 70'001u);

  // Results add up until the caller resets them.
  check(target.bytes.data(), target.shape, target.blocks, &result).host();
  EXPECT_EQ(result.mismatched_bytes, 6u);

  // Poison differs from the pattern nearly everywhere, by chance not quite.
  poison(target.bytes.data(), target.bytes.size()).host();
  result = target.checked();
  EXPECT_GT(result.mismatched_bytes, target.bytes.size() * 98 / 100);
  EXPECT_LT(result.first_mismatch, 16u);
}

TEST(check_kernel, tells_old_contents_moved_rows_and_other_ranks_apart) {
  composed_target target(1, {8, 8}, 4, 0, 4, 16, 0);
  const std::vector<expected_block> good = target.blocks;
  EXPECT_EQ(target.checked().mismatched_bytes, 0u);
  target.blocks[1].key.iteration += 1;
  EXPECT_GT(target.checked().mismatched_bytes, 480u);
  target.blocks = good;
  std::swap(target.blocks[0].key, target.blocks[1].key);
  EXPECT_GT(target.checked().mismatched_bytes, 960u);
  target.blocks = good;
  target.blocks[0].source_rows = 9;
  target.blocks[0].source_row = 1;
  EXPECT_GT(target.checked().mismatched_bytes, 480u);
}

TEST(check_kernel, reads_and_judges_only_its_blocks) {
  composed_target target(1, {4, 4}, 2, 0, 2, 16, 0);
  target.blocks.erase(target.blocks.begin());
  target.bytes[17] ^= std::byte{4};
  EXPECT_EQ(target.checked().mismatched_bytes, 0u);
  check_result result;
  const kernel_call call = check(target.bytes.data(), target.shape, target.blocks, &result);
  ASSERT_EQ(call.reads.size(), 1u);  // one block in one batch
  EXPECT_EQ(call.reads[0].data, target.bytes.data() + 128);
  EXPECT_EQ(call.reads[0].width * call.reads[0].height, 128u);
  EXPECT_EQ(call.writes.size(), 0u);
  ASSERT_EQ(call.adds.size(), 1u);
  EXPECT_EQ(static_cast<const void*>(call.adds[0].data), &result);
}

TEST(check_kernel, refuses_what_it_cannot_check) {
  const tensor_shape shape = {1, 4, 2, 16};
  const expected_block fits = {{}, 0, 0, 4, 2, 0, 0, 4, 2};
  check_result result;
  const auto with = [&](expected_block block) { return check(nullptr, shape, {block}, &result); };
  EXPECT_NO_THROW(with(fits));
  expected_block block = fits;
  block.target_row = 1;
  EXPECT_THROW(with(block), std::out_of_range);
  block = fits;
  block.source_heads = 1;
  EXPECT_THROW(with(block), std::out_of_range);
  block = fits;
  block.rows = -1;
  EXPECT_THROW(with(block), std::out_of_range);
  EXPECT_NO_THROW(check(nullptr, shape, std::vector(max_expected_blocks, fits), &result));
  EXPECT_THROW(check(nullptr, shape, std::vector(max_expected_blocks + 1, fits), &result),
               std::length_error);
  // One that has nothing to compare doesn't count.
  std::vector<expected_block> many(max_expected_blocks + 1, fits);
  many.back().rows = 0;
  EXPECT_NO_THROW(check(nullptr, shape, many, &result));
}

TEST(delay_kernel, takes_its_time) {
  using namespace std::chrono_literals;
  const auto start = std::chrono::steady_clock::now();
  delay(3ms).host();
  EXPECT_GE(std::chrono::steady_clock::now() - start, 3ms);
  delay(-1h).host();
  EXPECT_EQ(delay(1ns).name, "delay_kernel");
}

TEST(row_tiles, locate_every_unit_exactly) {
  for (const std::uint64_t row_units : {1ull, 2ull, 3ull, 7ull, 16ull, 255ull, 320ull, 1023ull,
                                        1024ull, 1025ull, 5000ull, (1ull << 33) + 1}) {
    const std::uint32_t reciprocal = row_reciprocal(row_units);
    // Small tiles, and tiles beyond 4 GB.
    for (const std::uint64_t first : {0ull, (1ull << 31) - 3}) {
      for (std::uint64_t tile = first; tile < first + 6; ++tile) {
        const unit_position start = tile_start(tile, row_units);
        for (unsigned offset = 0; offset < tile_units; ++offset) {
          const std::uint64_t unit = tile * tile_units + offset;
          const unit_position at = locate(start, offset, row_units, reciprocal);
          ASSERT_EQ(at.row, unit / row_units) << unit << " in rows of " << row_units;
          ASSERT_EQ(at.column, unit % row_units) << unit << " in rows of " << row_units;
        }
      }
    }
  }
  EXPECT_EQ(tile_count(0), 0u);
  EXPECT_EQ(tile_count(1), 1u);
  EXPECT_EQ(tile_count(tile_units), 1u);
  EXPECT_EQ(tile_count(tile_units + 1), 2u);
}

}  // namespace
}  // namespace ithaca::kernels
