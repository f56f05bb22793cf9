#include "validation/kernels/bf16_trials.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "kernels/compare_bf16.hpp"
#include "kernels/random_bf16.hpp"

namespace ithaca::validation {
namespace {

using visitor = std::function<void(const kernel_trial&)>;
using kernels::bf16_matrix;
using kernels::compared_block;

struct matrix_case {
  std::int64_t rows;
  std::int64_t columns;
  std::size_t gap;   ///< bytes between rows
  std::size_t past;  ///< as in `kernel_trial`
};
constexpr matrix_case cases[] = {{1, 1, 0, 0},    {1, 1, 0, 14},   {3, 7, 0, 2},
                                 {5, 8, 0, 0},    {5, 8, 0, 8},    {70, 24, 16, 0},
                                 {70, 24, 2, 0},  {9, 1500, 0, 0}, {3, 20'000, 0, 0},
                                 {300, 8, 48, 0}, {513, 640, 0, 0}};

bf16_matrix matrix_of(const matrix_case& each, std::byte* data) {
  return {data, each.rows, each.columns, 2 * static_cast<std::size_t>(each.columns) + each.gap};
}

std::string words_of(const matrix_case& each) {
  return fmt::format("{} x {}, gaps of {}, shifted by {}", each.rows, each.columns, each.gap,
                     each.past);
}

void visit_randoms(const visitor& visit) {
  for (const matrix_case& each : cases) {
    const bf16_matrix shape = matrix_of(each, nullptr);
    visit({.kernel = "random_bf16_kernel",
           .what = words_of(each),
           .past = each.past,
           .target = std::vector<std::byte>(static_cast<std::size_t>(each.rows) * shape.row_bytes,
                                            std::byte{0x5a}),
           .build = [=](const trial_areas& at) {
             return kernels::random_bf16(matrix_of(each, at.target), 7, 1.7f, 1'000'003);
           }});
  }
}

/// Adds to the bits of every `step`-th element: those at the edge of a tolerance, far ones, NaNs.
void change_some(std::vector<std::byte>& target, std::size_t step) {
  const std::uint16_t changes[] = {1, 2, 3, 0x8000, 0xffff, 0x0100};
  for (std::size_t at = 0, turn = 0; at + 2 <= target.size(); at += 2 * step, ++turn) {
    std::uint16_t bits;
    std::memcpy(&bits, target.data() + at, 2);
    const std::uint16_t change = changes[turn % std::size(changes)];
    bits = static_cast<std::uint16_t>(change == 0xffff ? change : bits + change);
    std::memcpy(target.data() + at, &bits, 2);
  }
}

/// As many blocks as a matrix has rows, but for some that are taken together.
std::vector<compared_block> blocks_of(const matrix_case& each, const std::byte* expected) {
  const bf16_matrix shape = matrix_of(each, nullptr);
  std::vector<compared_block> blocks;
  std::int64_t rows = 1;
  for (std::int64_t row = 0; row < each.rows; row += rows) {
    rows = blocks.size() < 20 ? 1 : each.rows - row;
    const std::size_t offset = static_cast<std::size_t>(row) * shape.row_bytes;
    blocks.push_back(
        {offset, shape.row_bytes, expected + offset, shape.row_bytes, rows, each.columns});
  }
  return blocks;
}

void visit_compares(const visitor& visit) {
  for (const matrix_case& each : cases) {
    const bf16_matrix shape = matrix_of(each, nullptr);
    std::vector<std::byte> expected(static_cast<std::size_t>(each.rows) * shape.row_bytes);
    kernels::random_bf16(matrix_of(each, expected.data()), 7, 1, 0).host();
    for (const std::size_t step : {std::size_t{1}, std::size_t{13}, expected.size()}) {
      for (const kernels::bf16_tolerance& tolerance :
           {kernels::bf16_tolerance{}, {0.01f, 0}, {0.0078125f, 1e-5f}}) {
        std::vector<std::byte> target = expected;
        change_some(target, step);
        visit({.kernel = "compare_bf16_kernel",
               .what = fmt::format("{}, every {}th changed, tolerance {}", words_of(each), step,
                                   tolerance.relative),
               .past = each.past,
               .source = expected,
               .target = std::move(target),
               .words = {0, kernels::check_result::no_mismatch},
               .build = [=](const trial_areas& at) {
                 return kernels::compare_bf16(at.target, blocks_of(each, at.source), tolerance,
                                              reinterpret_cast<kernels::check_result*>(at.words));
               }});
      }
    }
  }
}

}  // namespace

void each_bf16_trial(const visitor& visit) {
  visit_randoms(visit);
  visit_compares(visit);
}

}  // namespace ithaca::validation
