#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

/// Rows of contiguous bf16 elements, `row_bytes` from one to the next: a matrix, or some columns of
/// a wider one.
struct bf16_matrix {
  std::byte* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::size_t row_bytes = 0;

  /// Of one row's elements, without what lies between rows.
  std::size_t width_bytes() const { return 2 * static_cast<std::size_t>(columns); }
  bool empty() const { return rows == 0 || columns == 0; }
  std::byte* row(std::int64_t index) const {
    return data + static_cast<std::size_t>(index) * row_bytes;
  }
  /// What a kernel that touches all of it declares.
  pitched_bytes range() const {
    return {data, row_bytes, width_bytes(), static_cast<std::size_t>(rows)};
  }

  /// Throws `std::invalid_argument` if an extent is negative, rows overlap, or an element does not
  /// lie at a multiple of its size.
  void validate() const {
    if (rows < 0 || columns < 0) throw std::invalid_argument("bf16_matrix: a negative extent");
    if (rows > 1 && row_bytes < width_bytes()) {
      throw std::invalid_argument("bf16_matrix: rows overlap");
    }
    if ((reinterpret_cast<std::uintptr_t>(data) | row_bytes) % 2 != 0) {
      throw std::invalid_argument("bf16_matrix: an element at an odd address");
    }
  }
};

}  // namespace ithaca::kernels
