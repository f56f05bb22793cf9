#pragma once

#include <cstddef>

#include "kernels/element_pattern.hpp"
#include "kernels/kernel_call.hpp"
#include "kernels/tensor_shape.hpp"

namespace ithaca::kernels {

/// Writes the pattern of `key` into a source tensor ("fill_kernel"). Heads and channels are
/// contiguous in a row; rows and batches lie `row_stride_bytes` and `batch_stride_bytes` apart,
/// and what lies between is left alone. Any alignment; fast where everything is 16-byte aligned.
///
/// Throws `std::invalid_argument` for an invalid shape, or strides with which rows overlap.
kernel_call fill(std::byte* data, const tensor_shape& shape, std::size_t batch_stride_bytes,
                 std::size_t row_stride_bytes, const pattern_key& key);

/// Sets all bytes to 0xff, a NaN in every floating-point type ("poison_kernel"): what is read
/// before it was written shows.
kernel_call poison(std::byte* data, std::size_t bytes);

}  // namespace ithaca::kernels
