#include "kernels/matmul.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "kernels/launch_error.hpp"
#include "kernels/random_bf16.hpp"
#include "validation/unit/bf16_values.hpp"
#include "validation/unit/needs_products.hpp"

namespace ithaca::kernels {
namespace {

static_assert(!std::is_copy_constructible_v<matmul> && std::is_move_constructible_v<matmul>);

/// A matrix with its memory, `gap` bytes between rows, random but for the gaps.
struct owned_matrix {
  std::vector<std::byte> bytes;
  bf16_matrix at;

  owned_matrix(std::int64_t rows, std::int64_t columns, std::size_t gap, std::uint64_t seed)
      : at{nullptr, rows, columns, 2 * static_cast<std::size_t>(columns) + gap} {
    bytes.assign(static_cast<std::size_t>(rows) * at.row_bytes, std::byte{0x5a});
    at.data = bytes.data();
    random_bf16(at, seed, 1).host();
  }

  /// `count` of its columns.
  bf16_matrix columns(std::int64_t first, std::int64_t count) const {
    return {at.data + 2 * first, at.rows, count, at.row_bytes};
  }
};

float value(const bf16_matrix& matrix, std::int64_t row, std::int64_t column) {
  return value_at(matrix.row(row) + 2 * column);
}

/// Every element of y beside x w^T in double precision: off by no more than its rounding to bf16
/// and the rounding of a sum of floats.
void expect_product(const bf16_matrix& x, const bf16_matrix& w, const bf16_matrix& y) {
  for (std::int64_t row = 0; row < y.rows; ++row) {
    for (std::int64_t column = 0; column < y.columns; ++column) {
      double sum = 0;
      double sizes = 0;
      for (std::int64_t i = 0; i < x.columns; ++i) {
        const double term = double{value(x, row, i)} * double{value(w, column, i)};
        sum += term;
        sizes += std::abs(term);
      }
      const double float_sum = sizes * static_cast<double>(x.columns) * 0x1p-24;
      ASSERT_NEAR(value(y, row, column), sum, std::abs(sum) * 0x1p-8 + float_sum)
          << row << ", " << column;
    }
  }
}

class matmul_on_host : public needs_products {
 protected:
  const matmul products{{}};
};

TEST_F(matmul_on_host, is_right_for_any_pitches_and_across_its_blocks) {
  struct product_case {
    std::int64_t rows, in, out;
    std::size_t x_gap, w_gap, y_gap;
  };
  for (const auto& [rows, in, out, x_gap, w_gap, y_gap] : {product_case{1, 1, 1, 0, 0, 0},
                                                           {3, 5, 7, 0, 0, 0},
                                                           {3, 5, 7, 2, 6, 10},
                                                           {64, 128, 96, 32, 0, 64},
                                                           {515, 9, 3, 0, 0, 0},
                                                           {2, 17, 1027, 0, 0, 4}}) {
    const owned_matrix x(rows, in, x_gap, 1), w(out, in, w_gap, 2), y(rows, out, y_gap, 3);
    const kernel_call call = products.multiply(x.at, w.at, y.at);
    EXPECT_EQ(call.name, "matmul");
    call.host();
    expect_product(x.at, w.at, y.at);
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::size_t between = 0; between < y_gap; ++between) {
        ASSERT_EQ(y.at.row(row)[y.at.width_bytes() + between], std::byte{0x5a});
      }
    }
  }
}

TEST_F(matmul_on_host, writes_some_columns_of_a_fused_projection_and_no_others) {
  const owned_matrix x(6, 32, 0, 1), w(16, 32, 0, 2), fused(6, 48, 0, 3), before(6, 48, 0, 3);
  const bf16_matrix y = fused.columns(16, 16);
  products.multiply(x.at, w.at, y).host();
  expect_product(x.at, w.at, y);
  for (std::int64_t row = 0; row < 6; ++row) {
    for (std::int64_t column = 0; column < 48; ++column) {
      if (column >= 16 && column < 32) continue;
      ASSERT_EQ(value(fused.at, row, column), value(before.at, row, column));
    }
  }
  // And reads some columns of a wider input.
  const owned_matrix wide(6, 50, 0, 4);
  products.multiply(wide.columns(9, 32), w.at, y).host();
  expect_product(wide.columns(9, 32), w.at, y);
}

TEST_F(matmul_on_host, gives_the_same_in_several_threads_at_once) {
  const owned_matrix x(70, 64, 0, 1), w(96, 64, 0, 2), reference(70, 96, 0, 3);
  products.multiply(x.at, w.at, reference.at).host();
  std::vector<owned_matrix> results(4, reference);
  std::vector<std::thread> ranks;
  for (owned_matrix& result : results) {
    ranks.emplace_back([&] {
      result.at.data = result.bytes.data();
      const matmul own{{}};
      for (int turn = 0; turn < 4000; ++turn) {
        std::ranges::fill(result.bytes, std::byte{0xff});
        own.multiply(x.at, w.at, result.at).host();
      }
    });
  }
  for (std::thread& rank : ranks) rank.join();
  for (const owned_matrix& result : results) EXPECT_EQ(result.bytes, reference.bytes);
}

TEST(matmul, declares_what_it_touches) {
  alignas(256) static std::byte workspace[512];
  const matmul products(workspace);
  const owned_matrix x(3, 8, 2, 1), w(5, 8, 0, 2), y(3, 5, 6, 3);
  const kernel_call call = products.multiply(x.at, w.at, y.at);
  ASSERT_EQ(call.reads.size(), 2u);
  EXPECT_EQ(call.reads[0].data, x.at.data);
  EXPECT_EQ(call.reads[0].pitch, 18u);
  EXPECT_EQ(call.reads[0].width * call.reads[0].height, 48u);
  EXPECT_EQ(call.reads[1].width * call.reads[1].height, 80u);
  ASSERT_EQ(call.writes.size(), 2u);
  EXPECT_EQ(call.writes[0].data, y.at.data);
  EXPECT_EQ(call.writes[0].width * call.writes[0].height, 30u);
  // Two streams that share a workspace are a race.
  EXPECT_EQ(call.writes[1].data, workspace);
  EXPECT_EQ(call.writes[1].width, sizeof workspace);
}

TEST(matmul, has_nothing_to_do_for_no_rows) {
  const matmul products{{}};
  const owned_matrix w(5, 8, 0, 2);
  const kernel_call call = products.multiply({nullptr, 0, 8, 16}, w.at, {nullptr, 0, 5, 10});
  EXPECT_TRUE(call.reads.empty() && call.writes.empty());
  EXPECT_NO_THROW(call.host());
}

TEST(matmul, refuses_matrices_that_do_not_fit_together) {
  const matmul products{{}};
  const owned_matrix x(3, 8, 0, 1), w(5, 8, 0, 2), y(3, 5, 0, 3);
  const auto with = [&](auto change) {
    bf16_matrix from = x.at, weights = w.at, to = y.at;
    change(from, weights, to);
    return products.multiply(from, weights, to);
  };
  EXPECT_NO_THROW(with([](auto&, auto&, auto&) {}));
  EXPECT_THROW(with([](auto& from, auto&, auto&) { --from.columns; }), std::invalid_argument);
  EXPECT_THROW(with([](auto& from, auto&, auto&) { --from.rows; }), std::invalid_argument);
  EXPECT_THROW(with([](auto&, auto& weights, auto&) { --weights.rows; }), std::invalid_argument);
  EXPECT_THROW(with([](auto&, auto&, auto& to) { --to.columns; }), std::invalid_argument);
  EXPECT_THROW(with([](auto&, auto&, auto& to) { to.row_bytes = 8; }), std::invalid_argument);
  EXPECT_THROW(with([](auto& from, auto& weights, auto&) { from.columns = weights.columns = 0; }),
               std::invalid_argument);
  std::byte bytes[2];
  EXPECT_THROW(matmul(std::span(bytes + (reinterpret_cast<std::uintptr_t>(bytes) % 2 == 0), 1)),
               std::invalid_argument);
}

TEST(matmul, says_why_it_is_not_there) {
  // Whether there is a library or not, asking does no harm, and needs no GPU.
  const std::string reason = why_no_matmul_on_cuda();
  EXPECT_EQ(reason, why_no_matmul_on_cuda());
  if (why_no_matmul_on_host().empty()) return;
  const owned_matrix x(3, 8, 0, 1), w(5, 8, 0, 2), y(3, 5, 0, 3);
  EXPECT_THROW(matmul({}).multiply(x.at, w.at, y.at).host(), launch_error);
}

}  // namespace
}  // namespace ithaca::kernels
