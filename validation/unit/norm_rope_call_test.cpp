// What calls of norm_rope declare and refuse.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/norm_rope.hpp"
#include "validation/unit/norm_rope_case.hpp"
#include "validation/unit/shifted_buffer.hpp"

namespace ithaca::kernels {
namespace {

constexpr float epsilon = norm_rope_epsilon;

/// How often each byte from `base` on is declared.
std::vector<int> declared(const std::vector<pitched_bytes>& ranges, const std::byte* base,
                          std::size_t bytes) {
  std::vector<int> times(bytes);
  for (const pitched_bytes& range : ranges) {
    EXPECT_GT(range.width * range.height, 0u);
    if (range.data < base || range.data >= base + bytes) continue;
    for (std::size_t row = 0; row < range.height; ++row) {
      for (std::size_t at = 0; at < range.width; ++at) {
        ++times.at(static_cast<std::size_t>(range.data - base) + row * range.pitch + at);
      }
    }
  }
  return times;
}

TEST(norm_rope, declares_every_byte_once) {
  for (const norm_scope scope : {norm_scope::none, norm_scope::head, norm_scope::hidden}) {
    made_call call({scope,
                    rope_style::neox,
                    32,
                    {{3, 5, 16, 2, std::pair{1, 2}, 32},
                     {2, 3, 0, 0, std::pair{0, 3}},
                     {4, 2, 0, 0, std::pair{1, 0}}}});
    const kernel_call built = call.build();
    EXPECT_EQ(built.name, "norm_rope_kernel");
    EXPECT_TRUE(built.adds.empty());
    std::size_t read = 0, written = 0, expected = 0, shared = 0;
    std::vector<int> angles(call.angles.size() * sizeof(float));
    for (made_tensor& each : call.tensors) {
      std::vector<int> in_place(each.data.size()), in_own(each.own.size());
      std::vector<int> reads(each.data.size());
      for (std::int64_t row = 0; row < each.of.rows; ++row) {
        for (std::int64_t channel = 0; channel < each.of.heads * each.head_dim; ++channel) {
          const std::byte* at = each.place(row, channel);
          int* mine = each.is_own(channel) ? &in_own[static_cast<std::size_t>(at - each.own.data())]
                                           : &in_place[each.offset(row, channel)];
          mine[0] = mine[1] = 1;
          reads[each.offset(row, channel)] = reads[each.offset(row, channel) + 1] = 1;
          expected += 2;
        }
      }
      EXPECT_EQ(declared(built.reads, each.data.data(), each.data.size()), reads);
      EXPECT_EQ(declared(built.writes, each.data.data(), each.data.size()), in_place);
      EXPECT_EQ(declared(built.writes, each.own.data(), each.own.size()), in_own);
      EXPECT_EQ(declared(built.reads, each.own.data(), each.own.size()),
                std::vector<int>(each.own.size()));
      const std::size_t position_bytes = static_cast<std::size_t>(each.head_dim) * sizeof(float);
      for (std::size_t at = 0; at < static_cast<std::size_t>(each.of.rows) * position_bytes; ++at) {
        ++angles[static_cast<std::size_t>(each.of.first_position) * position_bytes + at];
      }
      shared += each.weights.size() * sizeof(float) +
                static_cast<std::size_t>(each.of.rows) * position_bytes;
    }
    EXPECT_EQ(declared(built.reads, reinterpret_cast<const std::byte*>(call.angles.data()),
                       angles.size()),
              angles);
    for (const pitched_bytes& range : built.reads) read += range.width * range.height;
    for (const pitched_bytes& range : built.writes) written += range.width * range.height;
    EXPECT_EQ(read, expected + shared);
    EXPECT_EQ(written, expected);
  }
}

TEST(norm_rope, has_nothing_to_do_without_rows_or_heads) {
  const kernel_call call = norm_rope({{nullptr, 0, 0, 4, 128}, {nullptr, 0, 4, 0, 64}},
                                     norm_scope::head, rope_style::neox, nullptr, 0, epsilon);
  EXPECT_TRUE(call.reads.empty());
  EXPECT_TRUE(call.writes.empty());
  EXPECT_NO_THROW(call.host());
}

class norm_rope_refusal : public testing::Test {
 protected:
  norm_rope_tensor good() {
    return {data_.data(), 512, 2, 4, 64, 1, reinterpret_cast<const float*>(tables_.data())};
  }
  /// What is said of the tensors; empty if they are taken.
  std::string said(std::vector<norm_rope_tensor> tensors, norm_scope scope = norm_scope::head,
                   std::int64_t positions = 3, float with_epsilon = epsilon,
                   std::size_t table_shift = 0) {
    try {
      norm_rope(std::move(tensors), scope, rope_style::neox,
                reinterpret_cast<const float*>(tables_.data() + table_shift), positions,
                with_epsilon);
    } catch (const std::logic_error& refused) {
      return refused.what();
    }
    return {};
  }
  std::string said_after(const std::function<void(norm_rope_tensor&)>& change,
                         norm_scope scope = norm_scope::head) {
    norm_rope_tensor changed = good();
    change(changed);
    return said({changed}, scope);
  }

  shifted_buffer data_{4096, 0};
  shifted_buffer tables_{4096, 0};
};

TEST_F(norm_rope_refusal, names_what_is_wrong_with_sizes) {
  EXPECT_EQ(said({good()}), "");
  for (const std::int64_t head_dim : {-16, 0, 8, 24, 72, 1024}) {
    EXPECT_EQ(said_after([&](auto& t) { t.head_dim = head_dim; }, norm_scope::none),
              fmt::format("norm_rope: a head has {} channels, and only multiples of 16 up to 512 "
                          "are known",
                          head_dim));
  }
  EXPECT_EQ(said_after([](auto& t) { t.head_dim = 48; }),
            "norm_rope: a head has 48 channels, and only 16 times a power of two is normalised by "
            "head");
  EXPECT_EQ(said_after([](auto& t) { t.head_dim = 48; }, norm_scope::hidden), "");
  EXPECT_EQ(said_after([](auto& t) { t.rows = -1; }), "norm_rope: a negative extent");
  EXPECT_EQ(said_after([](auto& t) { t.heads = 481; }),
            "norm_rope: a row has more than 30720 channels");
  norm_rope_tensor other = good();
  other.head_dim = 32;
  EXPECT_EQ(said({good(), other}), "norm_rope: heads of unlike sizes");
  EXPECT_EQ(said({good()}, norm_scope::head, 3, -1), "norm_rope: epsilon is negative");
  EXPECT_EQ(said({good()}, norm_scope::head, 3, std::nanf("")), "norm_rope: epsilon is negative");
}

TEST_F(norm_rope_refusal, names_what_is_wrong_with_places) {
  EXPECT_EQ(said_after([](auto& t) { t.row_bytes = 496; }), "norm_rope: rows overlap");
  EXPECT_EQ(said_after([](auto& t) { t.row_bytes = 520; }),
            "norm_rope: data not at multiples of 16 bytes");
  EXPECT_EQ(said_after([](auto& t) { t.data += 8; }),
            "norm_rope: data not at multiples of 16 bytes");
  EXPECT_EQ(said_after([](auto& t) { ++t.weights; }),
            "norm_rope: weights not at multiples of 16 bytes");
  EXPECT_EQ(said_after([](auto& t) { t.weights = nullptr; }), "norm_rope: no weights");
  EXPECT_EQ(said_after([](auto& t) { t.weights = nullptr; }, norm_scope::none), "");
  EXPECT_EQ(said({good()}, norm_scope::head, 3, epsilon, 4),
            "norm_rope: table of angles not at multiples of 16 bytes");
  EXPECT_EQ(said_after([](auto& t) { t.first_position = -1; }),
            "norm_rope: a row's position is not in the table of angles");
  EXPECT_EQ(said({good()}, norm_scope::head, 2),
            "norm_rope: a row's position is not in the table of angles");
  EXPECT_EQ(said_after([&](auto& t) {
              t.own_chunk = {data_.data(), 256, 3, 2};
            }),
            "norm_rope: an own chunk leaves its tensor");
  EXPECT_EQ(said_after([&](auto& t) {
              t.own_chunk = {data_.data(), 240, 1, 2};
            }),
            "norm_rope: rows of an own chunk overlap");
  EXPECT_EQ(said_after([&](auto& t) {
              t.own_chunk = {data_.data() + 2, 256, 1, 2};
            }),
            "norm_rope: target of an own chunk not at multiples of 16 bytes");
}

TEST_F(norm_rope_refusal, is_for_what_does_not_fit_one_call) {
  EXPECT_THROW(
      norm_rope(std::vector<norm_rope_tensor>(9, good()), norm_scope::head, rope_style::neox,
                reinterpret_cast<const float*>(tables_.data()), 3, epsilon),
      std::length_error);
  EXPECT_EQ(said(std::vector<norm_rope_tensor>(8, good())), "");
}

}  // namespace
}  // namespace ithaca::kernels
