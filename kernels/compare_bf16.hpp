#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/bf16_tolerance.hpp"
#include "kernels/check.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

/// Rows of contiguous bf16 elements in a target, and those that they must be like.
struct compared_block {
  std::uint64_t target_offset = 0;   ///< of the first element, in bytes
  std::size_t target_row_bytes = 0;  ///< from one row to the next
  const std::byte* expected = nullptr;
  std::size_t expected_row_bytes = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;  ///< elements a row

  std::size_t width_bytes() const { return 2 * static_cast<std::size_t>(columns); }
};

/// Compares every element of the blocks with the expected one, and adds what it finds to `result`
/// atomically ("compare_bf16_kernel"): two bytes for each element that `tolerance` does not accept,
/// and the smallest offset of one in the target, in bytes. What `poison` wrote is NaN, which is
/// never accepted. Bytes outside the blocks are not read. Blocks may overlap (each is compared).
/// Fast where addresses, offsets, row pitches and widths are multiples of 16 bytes.
///
/// Throws `std::length_error` for more than `max_expected_blocks`, `std::invalid_argument` for a
/// negative extent, rows that overlap, an element at an odd address, or a tolerance that can't be.
kernel_call compare_bf16(const std::byte* target, std::vector<compared_block> blocks,
                         const bf16_tolerance& tolerance, check_result* result);

}  // namespace ithaca::kernels
