#include "kernels/norm_rope.hpp"

#include <bit>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "kernels/norm_rope_host.hpp"
#include "kernels/norm_rope_work.hpp"
#include "kernels/range.hpp"
#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw std::invalid_argument("norm_rope: " + why);
}

void require_vectors(const char* what, const void* at, std::size_t row_bytes) {
  if (at == nullptr) refuse(std::string("no ") + what);
  if ((reinterpret_cast<std::uintptr_t>(at) | row_bytes) % 16 != 0) {
    refuse(std::string(what) + " not at multiples of 16 bytes");
  }
}

std::size_t bytes_of(std::int64_t heads, std::int64_t head_dim) {
  return static_cast<std::size_t>(heads * head_dim) * 2;
}

void validate_head_dim(std::int64_t head_dim, norm_scope scope) {
  if (head_dim <= 0 || head_dim % 16 != 0 || head_dim > max_norm_rope_head_dim) {
    refuse("a head has " + std::to_string(head_dim) +
           " channels, and only multiples of 16 up to 512 are known");
  }
  if (scope == norm_scope::head && !std::has_single_bit(static_cast<std::uint64_t>(head_dim))) {
    refuse("a head has " + std::to_string(head_dim) +
           " channels, and only 16 times a power of two is normalised by head");
  }
}

void validate_chunk(const norm_rope_chunk& chunk, const norm_rope_tensor& of) {
  if (!inside(chunk.first_head, chunk.heads, of.heads)) {
    throw std::out_of_range("norm_rope: an own chunk leaves its tensor");
  }
  if (chunk.heads == 0) return;
  require_vectors("target of an own chunk", chunk.target, chunk.row_bytes);
  if (of.rows > 1 && chunk.row_bytes < bytes_of(chunk.heads, of.head_dim)) {
    refuse("rows of an own chunk overlap");
  }
}

void validate(const norm_rope_tensor& of, norm_scope scope, std::int64_t positions) {
  validate_head_dim(of.head_dim, scope);
  if (of.heads > max_norm_rope_channels / of.head_dim) {
    refuse("a row has more than 30720 channels");
  }
  require_vectors("data", of.data, of.row_bytes);
  if (of.rows > 1 && of.row_bytes < bytes_of(of.heads, of.head_dim)) refuse("rows overlap");
  if (scope != norm_scope::none) require_vectors("weights", of.weights, 0);
  if (!inside(of.first_position, of.rows, positions)) {
    throw std::out_of_range("norm_rope: a row's position is not in the table of angles");
  }
  if (of.own_chunk) validate_chunk(*of.own_chunk, of);
}

void declare(kernel_call& call, const norm_rope_tensor& of, const norm_rope_work& work) {
  const auto rows = static_cast<std::size_t>(of.rows);
  const std::size_t width = bytes_of(of.heads, of.head_dim);
  call.reads.push_back({of.data, of.row_bytes, width, rows});
  const std::size_t position_bytes = static_cast<std::size_t>(of.head_dim) * sizeof(float);
  call.reads.push_back({reinterpret_cast<const std::byte*>(work.cos_sin) +
                            static_cast<std::size_t>(of.first_position) * position_bytes,
                        position_bytes, position_bytes, rows});
  if (work.scope != norm_scope::none) {
    const std::size_t bytes =
        (work.scope == norm_scope::head ? 1 : static_cast<std::size_t>(of.heads)) * position_bytes;
    call.reads.push_back({reinterpret_cast<const std::byte*>(of.weights), bytes, bytes, 1});
  }

  std::size_t before = width, after = width;  // bytes of a row up to the own chunk, and with it
  if (of.own_chunk) {
    const norm_rope_chunk& own = *of.own_chunk;
    before = bytes_of(own.first_head, of.head_dim);
    after = bytes_of(own.first_head + own.heads, of.head_dim);
    if (own.heads > 0) {
      call.writes.push_back({own.target, own.row_bytes, after - before, rows});
    }
  }
  if (before > 0) call.writes.push_back({of.data, of.row_bytes, before, rows});
  if (after < width) call.writes.push_back({of.data + after, of.row_bytes, width - after, rows});
}

}  // namespace

kernel_call norm_rope(std::vector<norm_rope_tensor> tensors, norm_scope scope, rope_style style,
                      const float* cos_sin, std::int64_t positions, float epsilon) {
  if (tensors.size() > max_norm_rope_tensors) {
    throw std::length_error("norm_rope: more than 8 tensors in one call");
  }
  if (!(epsilon >= 0)) refuse("epsilon is negative");
  for (const norm_rope_tensor& each : tensors) {
    if (each.rows < 0 || each.heads < 0) refuse("a negative extent");
  }
  std::erase_if(tensors, [](const auto& each) { return each.rows == 0 || each.heads == 0; });
  for (const norm_rope_tensor& each : tensors) {
    validate(each, scope, positions);
    if (each.head_dim != tensors.front().head_dim) refuse("heads of unlike sizes");
  }

  kernel_call call;
  call.name = "norm_rope_kernel";
  call.host = [] {};
#ifdef ITHACA_WITH_CUDA
  call.cuda = [](void*) {};
#endif
  if (tensors.empty()) return call;
  require_vectors("table of angles", cos_sin, 0);
  const auto work = std::make_shared<const norm_rope_work>(
      norm_rope_work{std::move(tensors), scope, style, cos_sin, epsilon});
  for (const norm_rope_tensor& each : work->tensors) declare(call, each, *work);
  call.host = [work] { norm_rope_on_host(*work); };
#ifdef ITHACA_WITH_CUDA
  call.cuda = [work](void* native_stream) { launch_norm_rope(*work, native_stream); };
#endif
  return call;
}

}  // namespace ithaca::kernels
