#include "kernels/random_bf16.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "kernels/random_elements.hpp"
#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {
namespace {

void fill_row(std::byte* row, std::int64_t columns, std::uint64_t row_seed, float step) {
  for (std::int64_t column = 0; column < columns; column += 4) {
    const std::uint64_t elements =
        random_elements(row_seed, static_cast<std::uint64_t>(column) / 4, step);
    const std::int64_t left = columns - column;
    std::memcpy(row + 2 * column, &elements, left < 4 ? 2 * static_cast<std::size_t>(left) : 8);
  }
}

}  // namespace

kernel_call random_bf16(const bf16_matrix& to, std::uint64_t seed, float scale,
                        std::int64_t first_row) {
  to.validate();
  if (!std::isfinite(scale) || scale < 0 || first_row < 0) {
    throw std::invalid_argument("random_bf16: a scale or a first row that can't be");
  }
  const float cut = std::bit_cast<float>(std::bit_cast<std::uint32_t>(scale) & 0xffff'0000u);
  const float step = cut / 65'536;
  kernel_call call;
  call.name = "random_bf16_kernel";
  if (!to.empty()) call.writes.push_back(to.range());
  call.host = [=] {
    for (std::int64_t i = 0; i < to.rows; ++i) {
      fill_row(to.row(i), to.columns,
               random_row_seed(seed, static_cast<std::uint64_t>(first_row + i)), step);
    }
  };
#ifdef ITHACA_WITH_CUDA
  call.cuda = [=](void* native_stream) {
    launch_random_bf16(to, seed, step, first_row, native_stream);
  };
#endif
  return call;
}

}  // namespace ithaca::kernels
