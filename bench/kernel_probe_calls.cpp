#include "bench/kernel_probe_calls.hpp"

#include <algorithm>

#include "backend/errors.hpp"
#include "kernels/move_regions.hpp"

namespace ithaca::bench {
namespace {

kernels::copy_region region(const pitched_copy& copy, std::byte* source, std::byte* target) {
  return {source + copy.source_offset, copy.source_pitch, target + copy.target_offset,
          copy.target_pitch,           copy.width,        copy.height};
}

/// What rank 0 of `tensor`'s group gets from `from`.
std::vector<pitched_copy> arriving(const tensor_geometry& tensor, int from,
                                   const tensor_strides& source) {
  std::vector<pitched_copy> copies = plan_exchange(tensor, from, tensor.whole_source(from), source);
  std::erase_if(copies, [](const pitched_copy& copy) { return copy.peer != 0; });
  return copies;
}

}  // namespace

kernel_probe_calls::kernel_probe_calls(const kernel_probe_shape& of) : of_(of) {
  if (of.layout.type() != element_type::bf16) {
    throw invalid_use("kernels around an exchange are measured in bf16 alone");
  }
  for (const head_set heads : {head_set::kv, head_set::query, head_set::kv}) {
    tensors_.push_back({{of.layout, heads}});
  }
  std::size_t fused_row = 0, source = 0, target = 0;
  for (const placed_tensor& each : tensors_) {
    fused_row += each.geometry.contiguous_source(0).row_bytes;
  }
  for (placed_tensor& each : tensors_) {
    const std::size_t row = each.geometry.contiguous_source(0).row_bytes;
    const bool fused = of.projected == projection::fused;
    each.source = each.geometry.contiguous_source(0);
    if (fused) {
      each.source = {static_cast<std::size_t>(of.layout.sequence(0).count) * fused_row, fused_row};
    }
    each.source_offset = source;
    each.target_offset = target;
    source += fused ? row : each.geometry.source_bytes(0);
    target += each.geometry.target_bytes(0);
  }
}

std::size_t kernel_probe_calls::source_bytes() const {
  std::size_t sent = 0, received = 0;
  for (const placed_tensor& each : tensors_) {
    sent += each.geometry.source_bytes(0);
    received += each.geometry.target_bytes(0);
  }
  return std::max(sent, received);
}

// What is packed goes to all, so a KV head that several ranks read is there several times.
std::size_t kernel_probe_calls::target_bytes() const {
  std::size_t packed = 0, received = 0;
  for (const placed_tensor& each : tensors_) {
    for (const pitched_copy& copy :
         plan_exchange(each.geometry, 0, each.geometry.whole_source(0), each.source)) {
      packed += copy.bytes();
    }
    received += each.geometry.target_bytes(0);
  }
  return std::max(packed, received);
}

std::int64_t kernel_probe_calls::rows() const {
  return of_.layout.batch() * of_.layout.sequence(0).count;
}

std::size_t kernel_probe_calls::angle_values() const {
  return static_cast<std::size_t>(rows() * of_.layout.head_dim());
}

std::size_t kernel_probe_calls::table_values() const {
  return angle_values() +
         static_cast<std::size_t>(of_.layout.head_count(head_set::query) * of_.layout.head_dim());
}

std::vector<float> kernel_probe_calls::tables() const {
  std::vector<float> made(table_values(), 1.0f);
  for (std::size_t pair = 0; pair < angle_values() / 2; ++pair) {
    made[2 * pair] = 0.8f;  // a cosine and its sine
    made[2 * pair + 1] = 0.6f;
  }
  return made;
}

kernels::norm_rope_tensor kernel_probe_calls::norm_rope_argument(const placed_tensor& of,
                                                                 std::byte* source,
                                                                 const float* tables,
                                                                 std::byte* target) const {
  const head_layout& layout = of_.layout;
  kernels::norm_rope_tensor made = {.data = source + of.source_offset,
                                    .row_bytes = of.source.row_bytes,
                                    // Batches follow each other without a gap.
                                    .rows = rows(),
                                    .heads = layout.head_count(of.geometry.heads),
                                    .head_dim = layout.head_dim(),
                                    .weights = tables + angle_values()};
  if (target != nullptr) {
    const index_range own = layout.heads(of.geometry.heads, 0);
    made.own_chunk = {target + of.target_offset, of.geometry.contiguous_target(0).row_bytes,
                      own.begin, own.count};
  }
  return made;
}

kernel_call kernel_probe_calls::norm_rope(std::byte* source, const float* tables,
                                          std::byte* target) const {
  return kernels::norm_rope({norm_rope_argument(tensors_[1], source, tables, target),
                             norm_rope_argument(tensors_[2], source, tables, target)},
                            of_.scope, of_.style, tables, rows(), kernels::common_epsilon);
}

kernel_call kernel_probe_calls::own_chunk(std::byte* source, std::byte* target) const {
  const placed_tensor& v = tensors_.front();
  std::vector<kernels::copy_region> regions;
  for (const pitched_copy& copy : arriving(v.geometry, 0, v.source)) {
    regions.push_back(region(copy, source + v.source_offset, target + v.target_offset));
  }
  return kernels::copy_own_chunk(std::move(regions));
}

kernel_call kernel_probe_calls::pack(std::byte* source, std::byte* target) const {
  std::vector<kernels::copy_region> regions;
  std::size_t packed = 0;
  for (int peer = 0; peer < of_.layout.degree(); ++peer) {
    for (const placed_tensor& each : tensors_) {
      for (pitched_copy copy :
           plan_exchange(each.geometry, 0, each.geometry.whole_source(0), each.source)) {
        if (copy.peer != peer) continue;
        copy.target_offset = packed;
        copy.target_pitch = copy.width;
        regions.push_back(region(copy, source + each.source_offset, target));
        packed += copy.bytes();
      }
    }
  }
  return kernels::pack(std::move(regions));
}

kernel_call kernel_probe_calls::relayout(std::byte* source, std::byte* target) const {
  std::vector<kernels::copy_region> regions;
  std::size_t arrived = 0;
  for (int from = 0; from < of_.layout.degree(); ++from) {
    for (const placed_tensor& each : tensors_) {
      for (pitched_copy copy :
           arriving(each.geometry, from, each.geometry.contiguous_source(from))) {
        copy.source_offset = arrived;
        copy.source_pitch = copy.width;
        regions.push_back(region(copy, source, target + each.target_offset));
        arrived += copy.bytes();
      }
    }
  }
  return kernels::relayout(std::move(regions));
}

}  // namespace ithaca::bench
