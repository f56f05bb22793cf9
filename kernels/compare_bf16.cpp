#include "kernels/compare_bf16.hpp"

#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "kernels/add_mismatches.hpp"
#include "kernels/bf16.hpp"
#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {
namespace {

void validate_block(const compared_block& block) {
  if (block.rows < 0 || block.columns < 0) {
    throw std::invalid_argument("compare_bf16: a negative extent");
  }
  const std::size_t width = block.width_bytes();
  if (block.rows > 1 && (block.target_row_bytes < width || block.expected_row_bytes < width)) {
    throw std::invalid_argument("compare_bf16: rows overlap");
  }
}

void validate_addresses(const std::byte* target, const compared_block& block) {
  if ((reinterpret_cast<std::uintptr_t>(target) | block.target_offset | block.target_row_bytes |
       reinterpret_cast<std::uintptr_t>(block.expected) | block.expected_row_bytes) %
          2 !=
      0) {
    throw std::invalid_argument("compare_bf16: an element at an odd address");
  }
}

void validate(const bf16_tolerance& tolerance) {
  // So written that a NaN is refused.
  if (!(tolerance.relative >= 0 && tolerance.relative < 1 && tolerance.absolute >= 0 &&
        std::isfinite(tolerance.absolute))) {
    throw std::invalid_argument("compare_bf16: a tolerance that can't be");
  }
}

float load(const std::byte* at) {
  std::uint16_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return from_bf16(bits);
}

void compare_block(const std::byte* target, const compared_block& block,
                   const bf16_tolerance& tolerance, check_result& result) {
  for (std::size_t row = 0; row < static_cast<std::size_t>(block.rows); ++row) {
    const std::uint64_t row_offset = block.target_offset + row * block.target_row_bytes;
    const std::byte* const expected = block.expected + row * block.expected_row_bytes;
    std::uint64_t wrong = 0;
    std::uint64_t first = check_result::no_mismatch;
    for (std::size_t at = 0; at < block.width_bytes(); at += 2) {
      if (tolerance.accepts(load(target + row_offset + at), load(expected + at))) continue;
      if (wrong == 0) first = row_offset + at;
      wrong += 2;
    }
    if (wrong > 0) add_mismatches(result, wrong, first);
  }
}

}  // namespace

kernel_call compare_bf16(const std::byte* target, std::vector<compared_block> blocks,
                         const bf16_tolerance& tolerance, check_result* result) {
  validate(tolerance);
  for (const compared_block& block : blocks) {
    validate_block(block);
    validate_addresses(target, block);
  }
  std::erase_if(blocks, [](const auto& block) { return block.rows == 0 || block.columns == 0; });
  if (blocks.size() > max_expected_blocks) {
    throw std::length_error("compare_bf16: more than 64 blocks in one call");
  }

  kernel_call call;
  call.name = "compare_bf16_kernel";
  call.adds.push_back(
      {reinterpret_cast<const std::byte*>(result), sizeof *result, sizeof *result, 1});
  for (const compared_block& block : blocks) {
    const auto rows = static_cast<std::size_t>(block.rows);
    call.reads.push_back(
        {target + block.target_offset, block.target_row_bytes, block.width_bytes(), rows});
    call.reads.push_back({block.expected, block.expected_row_bytes, block.width_bytes(), rows});
  }
  const auto shared = std::make_shared<const std::vector<compared_block>>(std::move(blocks));
  call.host = [=] {
    for (const compared_block& block : *shared) {
      compare_block(target, block, tolerance, *result);
    }
  };
#ifdef ITHACA_WITH_CUDA
  call.cuda = [=](void* native_stream) {
    launch_compare_bf16(target, *shared, tolerance, result, native_stream);
  };
#endif
  return call;
}

}  // namespace ithaca::kernels
