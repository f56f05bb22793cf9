#include "kernels/norm_rope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/bf16.hpp"
#include "validation/unit/norm_rope_case.hpp"

namespace ithaca::kernels {
namespace {

/// A channel after the norm, by its formula.
double normalised(const made_tensor& of, norm_scope scope, std::int64_t row, std::int64_t channel) {
  const double x = of.before(row, channel);
  if (scope == norm_scope::none) return x;
  const bool by_head = scope == norm_scope::head;
  const std::int64_t count = by_head ? of.head_dim : of.of.heads * of.head_dim;
  const std::int64_t first = by_head ? channel / of.head_dim * of.head_dim : 0;
  double squares = 0;
  for (std::int64_t at = first; at < first + count; ++at) {
    squares += of.before(row, at) * of.before(row, at);
  }
  return x / std::sqrt(squares / static_cast<double>(count) + double{norm_rope_epsilon}) *
         double{of.weights[static_cast<std::size_t>(channel - first)]};
}

/// Every channel of a row after both steps, and how much float may add to a unit in the last place.
struct expected_value {
  double value;
  double slack;
};

std::vector<expected_value> expected_row(const made_call& call, const made_tensor& of,
                                         std::int64_t row) {
  std::vector<double> normal;
  for (std::int64_t channel = 0; channel < of.of.heads * of.head_dim; ++channel) {
    // The sum is the same for all channels of a row or head.
    normal.push_back(normalised(of, call.what.scope, row, channel));
  }
  std::vector<expected_value> made;
  const std::int64_t half = of.head_dim / 2;
  for (std::int64_t channel = 0; channel < of.of.heads * of.head_dim; ++channel) {
    const std::int64_t d = channel % of.head_dim;
    const bool neox = call.what.style == rope_style::neox;
    const bool is_first = neox ? d < half : d % 2 == 0;
    const std::int64_t pair = neox ? d % half : d / 2;
    const std::int64_t other = channel + (is_first ? 1 : -1) * (neox ? half : 1);
    const auto angle = static_cast<std::size_t>(((of.of.first_position + row) * half + pair) * 2);
    const double x = normal[static_cast<std::size_t>(channel)];
    const double y = normal[static_cast<std::size_t>(other)];
    const double cosine = call.angles[angle], sine = call.angles[angle + 1];
    made.push_back({is_first ? x * cosine - y * sine : x * cosine + y * sine,
                    4 * std::numeric_limits<float>::epsilon() * (std::abs(x) + std::abs(y))});
  }
  return made;
}

double unit_in_last_place(double value) {
  return value == 0 ? 0 : std::ldexp(1.0, std::ilogb(value) - 7);
}

void expect_right(made_call& call) {
  for (made_tensor& tensor : call.tensors) {
    std::vector<std::byte> data(tensor.data_before);
    std::vector<std::byte> own(tensor.own.size(), std::byte{0x5a});
    for (std::int64_t row = 0; row < tensor.of.rows; ++row) {
      const std::vector<expected_value> expected = expected_row(call, tensor, row);
      for (std::int64_t channel = 0; channel < std::ssize(expected); ++channel) {
        const auto& [value, slack] = expected[static_cast<std::size_t>(channel)];
        std::byte* at = tensor.place(row, channel);
        std::uint16_t bits;
        std::memcpy(&bits, at, sizeof bits);
        ASSERT_LE(std::abs(from_bf16(bits) - value), unit_in_last_place(value) + slack)
            << call.what.name() << ", row " << row << ", channel " << channel << ": "
            << from_bf16(bits) << " instead of " << value;
        // From here on this byte is right; all others are to be as they were.
        std::byte* mine = tensor.is_own(channel) ? own.data() + (at - tensor.own.data())
                                                 : data.data() + (at - tensor.data.data());
        std::memcpy(mine, at, sizeof bits);
      }
    }
    EXPECT_TRUE(std::equal(data.begin(), data.end(), tensor.data.data()))
        << call.what.name() << ": wrote outside, or over the own chunk's source";
    EXPECT_TRUE(std::equal(own.begin(), own.end(), tensor.own.data()))
        << call.what.name() << ": wrote outside the own chunk";
  }
}

void each_form(const std::function<void(norm_scope, rope_style)>& visit) {
  for (const norm_scope scope : {norm_scope::none, norm_scope::head, norm_scope::hidden}) {
    for (const rope_style style : {rope_style::neox, rope_style::interleaved}) visit(scope, style);
  }
}

TEST(norm_rope, agrees_with_double_precision_on_strided_rows) {
  each_form([](norm_scope scope, rope_style style) {
    for (const std::int64_t head_dim : {16, 32, 64, 128, 256, 512}) {
      for (const auto& [rows, heads, gap] :
           {std::tuple{1, 1, 0}, {3, 1, 16}, {2, 7, 4096}, {5, 3, 32}, {2, 28, 0}}) {
        made_call call({scope, style, head_dim, {{rows, heads, static_cast<std::size_t>(gap), 2}}});
        call.build().host();
        ASSERT_NO_FATAL_FAILURE(expect_right(call));
      }
    }
  });
}

TEST(norm_rope, takes_heads_that_are_no_power_of_two_unless_each_is_normalised) {
  for (const norm_scope scope : {norm_scope::none, norm_scope::hidden}) {
    for (const std::int64_t head_dim : {48, 80, 96, 496}) {
      made_call call({scope, rope_style::neox, head_dim, {{3, 5, 16}}});
      call.build().host();
      expect_right(call);
    }
  }
}

TEST(norm_rope, takes_the_longest_rows) {
  for (const auto& [heads, head_dim] : {std::pair{240, 128}, {640, 48}, {1920, 16}, {60, 512}}) {
    made_call call({norm_scope::hidden, rope_style::interleaved, head_dim, {{1, heads}}});
    // By its sum alone, which rotations leave as it is: the reference takes the square of this
    // time.
    made_tensor& tensor = call.tensors[0];
    std::ranges::fill(tensor.weights, 1.0f);
    call.build().host();
    double squares = 0, after = 0;
    for (std::int64_t channel = 0; channel < heads * head_dim; ++channel) {
      std::uint16_t bits;
      std::memcpy(&bits, tensor.place(0, channel), sizeof bits);
      after += double{from_bf16(bits)} * from_bf16(bits);
      squares += tensor.before(0, channel) * tensor.before(0, channel);
    }
    EXPECT_GT(squares / (heads * head_dim), 8);
    EXPECT_NEAR(after / (heads * head_dim), 1, 1e-3) << heads << " x " << head_dim;
  }
}

TEST(norm_rope, writes_own_chunks_into_their_targets_and_not_in_place) {
  each_form([](norm_scope scope, rope_style style) {
    for (const auto& [first, heads] : {std::pair{0, 2}, {3, 4}, {5, 2}, {0, 7}, {4, 0}}) {
      made_call call({scope, style, 64, {{4, 7, 48, 1, std::pair{first, heads}, 16}}});
      call.build().host();
      expect_right(call);
    }
  });
}

TEST(norm_rope, takes_several_tensors_in_one_call) {
  each_form([](norm_scope scope, rope_style style) {
    made_call call({scope,
                    style,
                    128,
                    {{3, 8, 0, 0, std::pair{4, 4}},
                     {3, 2, 512, 0, std::pair{1, 1}, 256},
                     {0, 8},
                     {5, 1, 16, 11},
                     {1, 28, 0, 3}}});
    call.build().host();
    expect_right(call);
  });
}

TEST(norm_rope, leaves_zeros_as_they_are_and_shows_what_is_infinite) {
  made_call call({norm_scope::head, rope_style::neox, 16, {{1, 2}}});
  std::fill_n(call.tensors[0].data.data(), 32, std::byte{0});
  const std::uint16_t infinite = to_bf16(std::numeric_limits<float>::infinity());
  std::memcpy(call.tensors[0].data.data() + 32, &infinite, sizeof infinite);
  call.build().host();
  for (std::int64_t channel = 0; channel < 16; ++channel) {
    std::uint16_t bits;
    std::memcpy(&bits, call.tensors[0].place(0, channel), sizeof bits);
    EXPECT_EQ(from_bf16(bits), 0);
  }
  std::uint16_t bits;
  std::memcpy(&bits, call.tensors[0].place(0, 16), sizeof bits);
  EXPECT_TRUE(std::isnan(from_bf16(bits)));
}

}  // namespace
}  // namespace ithaca::kernels
