#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/bf16_matrix.hpp"
#include "kernels/check.hpp"
#include "kernels/compare_bf16.hpp"
#include "kernels/copy_region.hpp"
#include "kernels/element_pattern.hpp"
#include "kernels/kernel_call.hpp"
#include "kernels/norm_rope_work.hpp"
#include "kernels/tensor_shape.hpp"

/// The CUDA side of the kernels, for their builders only. Each enqueues one launch on a
/// `cudaStream_t` of the current device, or none if there is nothing to do. Arguments were
/// validated by the builder. Throw `launch_error`.
namespace ithaca::kernels {

void launch_fill(std::byte* data, const tensor_shape& shape, std::size_t batch_stride_bytes,
                 std::size_t row_stride_bytes, std::uint64_t seed, void* native_stream);
void launch_poison(std::byte* data, std::size_t bytes, void* native_stream);
void launch_check(const std::byte* target, const tensor_shape& target_shape,
                  const std::vector<expected_block>& blocks, check_result* result,
                  void* native_stream);
void launch_random_bf16(const bf16_matrix& to, std::uint64_t seed, float step,
                        std::int64_t first_row, void* native_stream);
void launch_compare_bf16(const std::byte* target, const std::vector<compared_block>& blocks,
                         const bf16_tolerance& tolerance, check_result* result,
                         void* native_stream);
void launch_pack(const std::vector<copy_region>& regions, void* native_stream);
void launch_relayout(const std::vector<copy_region>& regions, void* native_stream);
void launch_own_chunk(const std::vector<copy_region>& regions, void* native_stream);
void launch_push(const std::vector<copy_region>& regions, int ctas, void* native_stream);
void launch_push_bulk(const std::vector<copy_region>& regions, int ctas, void* native_stream);
void launch_push_exchange(const std::vector<copy_region>& regions, const kernel_signals& signals,
                          std::uint32_t* blocks_done, int ctas, void* native_stream);
void launch_signal(const std::vector<signalled_word>& words, void* native_stream);
void launch_await(const std::vector<awaited_word>& words, int blocks, void* native_stream);
void launch_norm_rope(const norm_rope_work& work, void* native_stream);
void launch_delay(std::uint64_t nanoseconds, void* native_stream);

}  // namespace ithaca::kernels
