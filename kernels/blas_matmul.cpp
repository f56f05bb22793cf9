#include "kernels/blas_matmul.hpp"

#include <cblas.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <vector>

#include "kernels/bf16.hpp"
#include "kernels/launch_error.hpp"

namespace ithaca::kernels {
namespace {

/// Keeps the widened copies small beside the matrices.
constexpr std::int64_t block = 512;

/// OpenBLAS that was built without threads takes no locks of its own: two of a process's streams
/// in it at once get wrong sums now and then (seen with Debian's 0.3.21).
std::mutex library;

/// Rows [first, first + rows) of a matrix as contiguous floats.
void widen(const bf16_matrix& from, std::int64_t first, std::int64_t rows, float* to) {
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::byte* at = from.row(first + i);
    for (std::int64_t j = 0; j < from.columns; ++j, at += 2) {
      std::uint16_t bits;
      std::memcpy(&bits, at, sizeof bits);
      *to++ = from_bf16(bits);
    }
  }
}

/// Contiguous rows of `columns` floats, into columns [first_column, + columns) of a matrix.
void narrow(const float* from, const bf16_matrix& to, std::int64_t first_row, std::int64_t rows,
            std::int64_t first_column, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i) {
    std::byte* at = to.row(first_row + i) + 2 * first_column;
    for (std::int64_t j = 0; j < columns; ++j, at += 2) {
      const std::uint16_t bits = to_bf16(*from++);
      std::memcpy(at, &bits, sizeof bits);
    }
  }
}

std::size_t floats(std::int64_t rows, std::int64_t columns) {
  return static_cast<std::size_t>(std::min(rows, block) * columns);
}

}  // namespace

void blas_multiply(const bf16_matrix& x, const bf16_matrix& w, const bf16_matrix& y) {
  if (x.columns > std::numeric_limits<int>::max()) {
    throw launch_error("matmul: a sum is longer than BLAS counts");
  }
  const int depth = static_cast<int>(x.columns);
  std::vector<float> left(floats(x.rows, x.columns));
  std::vector<float> right(floats(w.rows, w.columns));
  std::vector<float> product(floats(x.rows, std::min(w.rows, block)));
  for (std::int64_t row = 0; row < y.rows; row += block) {
    const int rows = static_cast<int>(std::min(block, y.rows - row));
    widen(x, row, rows, left.data());
    for (std::int64_t column = 0; column < y.columns; column += block) {
      const int columns = static_cast<int>(std::min(block, y.columns - column));
      widen(w, column, columns, right.data());
      {
        const std::lock_guard one_at_a_time(library);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, columns, depth, 1, left.data(),
                    depth, right.data(), depth, 0, product.data(), columns);
      }
      narrow(product.data(), y, row, rows, column, columns);
    }
  }
}

}  // namespace ithaca::kernels
