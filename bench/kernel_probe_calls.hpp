#pragma once

#include <cstddef>
#include <vector>

#include "backend/exchange_plan.hpp"
#include "bench/kernel_probe.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca::bench {

/// The calls that `probe_kernels` measures, and the memory that they need.
///
/// V, Q and K lie one after the other, or side by side in the rows of a fused projection, at the
/// start of an area of `source_bytes`. Their targets, or what is packed of them, lie in an area of
/// `target_bytes`. The area of sources also serves as the buffer that a relayout reads.
class kernel_probe_calls {
 public:
  explicit kernel_probe_calls(const kernel_probe_shape& of);

  std::size_t source_bytes() const;
  std::size_t target_bytes() const;
  /// Angles, then weights.
  std::size_t table_values() const;
  std::vector<float> tables() const;

  /// Of Q and K. Without a target in place, else with their own chunks there.
  kernel_call norm_rope(std::byte* source, const float* tables, std::byte* target) const;
  kernel_call own_chunk(std::byte* source, std::byte* target) const;
  kernel_call pack(std::byte* source, std::byte* target) const;
  kernel_call relayout(std::byte* source, std::byte* target) const;

 private:
  struct placed_tensor {
    tensor_geometry geometry;
    std::size_t source_offset = 0;
    tensor_strides source = {};
    std::size_t target_offset = 0;
  };
  kernels::norm_rope_tensor norm_rope_argument(const placed_tensor& of, std::byte* source,
                                               const float* tables, std::byte* target) const;
  std::int64_t rows() const;
  std::size_t angle_values() const;

  kernel_probe_shape of_;
  std::vector<placed_tensor> tensors_;  // v, q, k
};

}  // namespace ithaca::bench
