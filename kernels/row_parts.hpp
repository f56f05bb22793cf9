#pragma once

#include <cstdint>

#include "kernels/element_pattern.hpp"

namespace ithaca::kernels {

/// What of one row lies in a run of consecutive bytes.
struct row_part {
  std::uint64_t column = 0;  ///< in bytes
  std::uint32_t offset = 0;  ///< in the run
  std::uint32_t bytes = 0;
};

/// `bytes` consecutive bytes of rows of `width`, from byte `skip` of their first row on: the first
/// and the last row may be cut.
struct row_run {
  std::uint64_t width;
  std::uint64_t skip;  ///< < width
  std::uint32_t bytes;

  ITHACA_HOST_DEVICE bool has(std::uint64_t row) const { return row * width < skip + bytes; }

  /// Of a row that it has.
  ITHACA_HOST_DEVICE row_part part(std::uint64_t row) const {
    const std::uint64_t start = row * width;
    const std::uint64_t from = row == 0 ? skip : start;
    const std::uint64_t end = skip + bytes < start + width ? skip + bytes : start + width;
    return {from - start, static_cast<std::uint32_t>(from - skip),
            static_cast<std::uint32_t>(end - from)};
  }
};

}  // namespace ithaca::kernels
