#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/element_pattern.hpp"
#include "kernels/kernel_call.hpp"
#include "kernels/tensor_shape.hpp"

namespace ithaca::kernels {

/// The part of a target that came from one source: for every batch b, row i < `rows` and head
/// j < `heads`, target (b, target_row + i, target_head + j) must hold what `fill` wrote with
/// `key` at (b, source_row + i, source_head + j) of a source with `source_rows` rows a batch and
/// `source_heads` heads a row. Source and target have equally many batches and bytes a head.
struct expected_block {
  pattern_key key;
  std::int64_t target_row = 0;
  std::int64_t target_head = 0;
  std::int64_t rows = 0;
  std::int64_t heads = 0;
  std::int64_t source_row = 0;
  std::int64_t source_head = 0;
  std::int64_t source_rows = 0;
  std::int64_t source_heads = 0;
};

/// What checks found since the caller last reset it. Lies in device memory, 8-byte aligned.
struct check_result {
  static constexpr std::uint64_t no_mismatch = ~std::uint64_t{0};
  std::uint64_t mismatched_bytes = 0;
  std::uint64_t first_mismatch = no_mismatch;  ///< smallest offset in the target, in bytes
};

/// More blocks than this don't fit one launch.
inline constexpr std::size_t max_expected_blocks = 64;

/// Compares every byte of the blocks of a contiguous target with what it must hold, and adds what
/// it finds to `result` atomically ("check_kernel"). Bytes outside the blocks are not read.
/// Blocks may overlap (each is compared).
///
/// Throws `std::length_error` for more than `max_expected_blocks`, `std::out_of_range` for a block
/// that leaves its target or its source, `std::invalid_argument` for an invalid shape.
kernel_call check(const std::byte* target, const tensor_shape& target_shape,
                  std::vector<expected_block> blocks, check_result* result);

}  // namespace ithaca::kernels
