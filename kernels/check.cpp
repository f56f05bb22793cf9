#include "kernels/check.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>

#include "kernels/add_mismatches.hpp"
#include "kernels/pattern_bytes.hpp"
#include "kernels/range.hpp"
#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {
namespace {

void validate_block(const expected_block& block, const tensor_shape& target) {
  if (!inside(block.target_row, block.rows, target.rows) ||
      !inside(block.target_head, block.heads, target.heads)) {
    throw std::out_of_range("check: a block leaves its target");
  }
  if (!inside(block.source_row, block.rows, block.source_rows) ||
      !inside(block.source_head, block.heads, block.source_heads)) {
    throw std::out_of_range("check: a block leaves its source");
  }
}

/// Compares `bytes`, at `target_offset` of the target, with the pattern from `source_offset` on.
void compare(std::span<const std::byte> bytes, std::uint64_t target_offset, std::uint64_t seed,
             std::uint64_t source_offset, check_result& result) {
  std::array<std::byte, 4096> buffer;
  while (!bytes.empty()) {
    const std::size_t count = std::min(bytes.size(), buffer.size());
    pattern_bytes(seed, source_offset, std::span(buffer).first(count));
    if (std::memcmp(bytes.data(), buffer.data(), count) != 0) {
      std::uint64_t mismatches = 0;
      std::uint64_t first = check_result::no_mismatch;
      for (std::size_t i = 0; i < count; ++i) {
        if (bytes[i] == buffer[i]) continue;
        if (mismatches++ == 0) first = target_offset + i;
      }
      add_mismatches(result, mismatches, first);
    }
    bytes = bytes.subspan(count);
    target_offset += count;
    source_offset += count;
  }
}

void compare_block(const std::byte* target, const tensor_shape& shape, const expected_block& block,
                   check_result& result) {
  const auto offset = [&](std::int64_t batch, std::int64_t rows, std::int64_t row,
                          std::int64_t heads, std::int64_t head) {
    return static_cast<std::uint64_t>((batch * rows + row) * heads + head) * shape.head_bytes;
  };
  const std::uint64_t seed = pattern_seed(block.key);
  const std::size_t width = static_cast<std::size_t>(block.heads) * shape.head_bytes;
  for (std::int64_t batch = 0; batch < shape.batch; ++batch) {
    for (std::int64_t i = 0; i < block.rows; ++i) {
      const std::uint64_t at =
          offset(batch, shape.rows, block.target_row + i, shape.heads, block.target_head);
      compare({target + at, width}, at, seed,
              offset(batch, block.source_rows, block.source_row + i, block.source_heads,
                     block.source_head),
              result);
    }
  }
}

}  // namespace

kernel_call check(const std::byte* target, const tensor_shape& target_shape,
                  std::vector<expected_block> blocks, check_result* result) {
  target_shape.validate();
  for (const expected_block& block : blocks) validate_block(block, target_shape);
  std::erase_if(blocks, [](const auto& block) { return block.rows == 0 || block.heads == 0; });
  if (blocks.size() > max_expected_blocks) {
    throw std::length_error("check: more than 64 blocks in one call");
  }

  kernel_call call;
  call.name = "check_kernel";
  call.adds.push_back(
      {reinterpret_cast<const std::byte*>(result), sizeof *result, sizeof *result, 1});
  for (const expected_block& block : blocks) {
    const std::byte* first = target +
                             static_cast<std::size_t>(block.target_row) * target_shape.row_bytes() +
                             static_cast<std::size_t>(block.target_head) * target_shape.head_bytes;
    for (std::int64_t batch = 0; batch < target_shape.batch; ++batch) {
      call.reads.push_back({first + static_cast<std::size_t>(batch) * target_shape.batch_bytes(),
                            target_shape.row_bytes(),
                            static_cast<std::size_t>(block.heads) * target_shape.head_bytes,
                            static_cast<std::size_t>(block.rows)});
    }
  }
  const auto shared = std::make_shared<const std::vector<expected_block>>(std::move(blocks));
  call.host = [=] {
    for (const expected_block& block : *shared) {
      compare_block(target, target_shape, block, *result);
    }
  };
#ifdef ITHACA_WITH_CUDA
  call.cuda = [=](void* native_stream) {
    launch_check(target, target_shape, *shared, result, native_stream);
  };
#endif
  return call;
}

}  // namespace ithaca::kernels
