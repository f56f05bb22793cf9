#pragma once

#include <cstdint>

#include "kernels/element_pattern.hpp"

namespace ithaca::kernels {

/// One thread's way over the units of equal rows, `units` units further at each step. No division
/// and no product from one to the next: the way is the same number of whole rows and columns each
/// time, and one row more where the columns run over.
class unit_stepper {
 public:
  /// Rows of `row_bytes`, a multiple of `unit_bytes`, > 0.
  ITHACA_HOST_DEVICE unit_stepper(std::uint64_t row_bytes, std::uint32_t unit_bytes,
                                  std::uint32_t units)
      : row_bytes_(row_bytes) {
    const std::uint32_t step = units * unit_bytes;
    row_step_ = row_bytes > step ? 0 : step / static_cast<std::uint32_t>(row_bytes);
    column_step_ = step - row_step_ * row_bytes;
  }

  /// Moves `at`, an address in column `column` (in bytes) of rows `pitch` bytes apart.
  template <class Byte>
  ITHACA_HOST_DEVICE void advance(Byte*& at, std::uint64_t& column, std::uint64_t pitch) const {
    at += row_step_ * pitch + column_step_;
    column += column_step_;
    if (column >= row_bytes_) {
      column -= row_bytes_;
      at += pitch - row_bytes_;
    }
  }

 private:
  std::uint64_t row_bytes_;
  std::uint64_t column_step_;  // in bytes, < row_bytes_
  std::uint64_t row_step_;
};

}  // namespace ithaca::kernels
