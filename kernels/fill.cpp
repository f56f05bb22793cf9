#include "kernels/fill.hpp"

#include <cstring>
#include <stdexcept>

#include "kernels/pattern_bytes.hpp"
#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {
namespace {

void validate_strides(const tensor_shape& shape, std::size_t batch_stride_bytes,
                      std::size_t row_stride_bytes) {
  if (shape.rows > 1 && row_stride_bytes < shape.row_bytes()) {
    throw std::invalid_argument("fill: rows overlap");
  }
  if (shape.batch > 1 && shape.rows > 0) {
    const std::size_t span =
        static_cast<std::size_t>(shape.rows - 1) * row_stride_bytes + shape.row_bytes();
    if (batch_stride_bytes < span) throw std::invalid_argument("fill: batches overlap");
  }
}

}  // namespace

kernel_call fill(std::byte* data, const tensor_shape& shape, std::size_t batch_stride_bytes,
                 std::size_t row_stride_bytes, const pattern_key& key) {
  shape.validate();
  validate_strides(shape, batch_stride_bytes, row_stride_bytes);
  const std::uint64_t seed = pattern_seed(key);
  kernel_call call;
  call.name = "fill_kernel";
  if (shape.batch_bytes() > 0) {
    for (std::int64_t batch = 0; batch < shape.batch; ++batch) {
      call.writes.push_back({data + static_cast<std::size_t>(batch) * batch_stride_bytes,
                             row_stride_bytes, shape.row_bytes(),
                             static_cast<std::size_t>(shape.rows)});
    }
  }
  call.host = [=] {
    std::uint64_t first_byte = 0;
    for (std::int64_t batch = 0; batch < shape.batch; ++batch) {
      std::byte* row = data + static_cast<std::size_t>(batch) * batch_stride_bytes;
      for (std::int64_t i = 0; i < shape.rows; ++i, row += row_stride_bytes) {
        pattern_bytes(seed, first_byte, {row, shape.row_bytes()});
        first_byte += shape.row_bytes();
      }
    }
  };
#ifdef ITHACA_WITH_CUDA
  call.cuda = [=](void* native_stream) {
    launch_fill(data, shape, batch_stride_bytes, row_stride_bytes, seed, native_stream);
  };
#endif
  return call;
}

kernel_call poison(std::byte* data, std::size_t bytes) {
  kernel_call call;
  call.name = "poison_kernel";
  if (bytes > 0) call.writes.push_back({data, bytes, bytes, 1});
  call.host = [=] {
    if (bytes > 0) std::memset(data, 0xff, bytes);
  };
#ifdef ITHACA_WITH_CUDA
  call.cuda = [=](void* native_stream) { launch_poison(data, bytes, native_stream); };
#endif
  return call;
}

}  // namespace ithaca::kernels
