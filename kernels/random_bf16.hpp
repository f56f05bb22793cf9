#pragma once

#include <cstdint>

#include "kernels/bf16_matrix.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

/// Writes random values, uniform in [-scale, scale] before they are rounded, into a matrix
/// ("random_bf16_kernel"). The value at row i and column j depends on `seed`, `first_row` + i and j
/// alone, so that any rows of any matrix can be made again anywhere: the rows of a rank, with the
/// first one's number in the whole. What lies between rows is left alone. Fast where data and row
/// pitch are multiples of 16 bytes and `columns` is one of 8.
///
/// `scale` counts rounded towards zero to a bf16, so that no value lies beyond it. Throws
/// `std::invalid_argument` for a scale that is negative or not finite, a negative `first_row`, or
/// an invalid matrix.
kernel_call random_bf16(const bf16_matrix& to, std::uint64_t seed, float scale,
                        std::int64_t first_row = 0);

}  // namespace ithaca::kernels
