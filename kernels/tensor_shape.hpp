#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace ithaca::kernels {

/// A tensor (batch, rows, heads, channels), its channels counted in bytes.
struct tensor_shape {
  std::int64_t batch = 0;
  std::int64_t rows = 0;   ///< in each batch
  std::int64_t heads = 0;  ///< in each row
  std::size_t head_bytes = 0;

  /// Sizes of the contiguous tensor.
  std::size_t row_bytes() const { return static_cast<std::size_t>(heads) * head_bytes; }
  std::size_t batch_bytes() const { return static_cast<std::size_t>(rows) * row_bytes(); }
  std::size_t size_bytes() const { return static_cast<std::size_t>(batch) * batch_bytes(); }

  /// Throws `std::invalid_argument` if an extent is negative or a head has no bytes.
  void validate() const {
    if (batch < 0 || rows < 0 || heads < 0 || head_bytes == 0) {
      throw std::invalid_argument("tensor_shape: a negative extent, or a head without bytes");
    }
  }
};

}  // namespace ithaca::kernels
