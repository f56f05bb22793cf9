#include "validation/kernels/norm_rope_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "kernels/bf16.hpp"
#include "kernels/norm_rope.hpp"

namespace ithaca::validation {
namespace {

using kernels::norm_scope;
using kernels::rope_style;

/// A tensor of which every head from `own_head` on is the rank's own.
struct tensor_sizes {
  std::int64_t rows;
  std::int64_t heads;
  std::size_t gap;  ///< bytes between rows, also of the own chunk
  std::int64_t own_head;
};

/// Positions that the table has beyond those of the longest tensor.
constexpr std::int64_t first_position = 3;

/// Where everything lies: the tensors, each with its own chunk behind it, in the trial's target;
/// angles, then weights that all tensors share, in its source.
class norm_rope_areas {
 public:
  norm_rope_areas(std::vector<tensor_sizes> tensors, std::int64_t head_dim)
      : tensors_(std::move(tensors)), head_dim_(head_dim) {
    for (const tensor_sizes& each : tensors_) {
      positions_ = std::max(positions_, first_position + each.rows);
      most_heads_ = std::max(most_heads_, each.heads);
    }
  }

  std::vector<std::byte> source() const {
    std::vector<float> values;
    for (std::int64_t at = 0; at < positions_ * head_dim_ / 2; ++at) {
      values.push_back(std::cos(static_cast<float>(at)));
      values.push_back(std::sin(static_cast<float>(at)));
    }
    std::mt19937 random(1);
    for (std::int64_t at = 0; at < most_heads_ * head_dim_; ++at) {
      values.push_back(static_cast<float>(random() % 2048) / 1024);
    }
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
  }

  std::vector<std::byte> target() const {
    std::size_t bytes = 0;
    for (const tensor_sizes& each : tensors_) bytes += data_bytes(each) + own_bytes(each);
    std::vector<std::byte> made(bytes);
    std::mt19937 random(2);
    for (std::size_t at = 0; at < bytes; at += sizeof(std::uint16_t)) {
      const float value = static_cast<float>(random() % 8192) / 1024 - 4;
      const std::uint16_t bits = kernels::to_bf16(value);
      std::memcpy(made.data() + at, &bits, sizeof bits);
    }
    return made;
  }

  kernel_call build(const trial_areas& at, norm_scope scope, rope_style style) const {
    const auto* angles = reinterpret_cast<const float*>(at.source);
    std::vector<kernels::norm_rope_tensor> made;
    std::byte* data = at.target;
    for (const tensor_sizes& each : tensors_) {
      kernels::norm_rope_tensor& tensor = made.emplace_back();
      tensor = {data,           row_bytes(each, each.heads),    each.rows, each.heads, head_dim_,
                first_position, angles + positions_ * head_dim_};
      data += data_bytes(each);
      tensor.own_chunk = {data, row_bytes(each, each.heads - each.own_head), each.own_head,
                          each.heads - each.own_head};
      data += own_bytes(each);
    }
    return kernels::norm_rope(made, scope, style, angles, positions_, 1e-6f);
  }

 private:
  std::size_t row_bytes(const tensor_sizes& of, std::int64_t heads) const {
    return static_cast<std::size_t>(heads * head_dim_) * 2 + of.gap;
  }
  std::size_t data_bytes(const tensor_sizes& of) const {
    return static_cast<std::size_t>(of.rows) * row_bytes(of, of.heads);
  }
  std::size_t own_bytes(const tensor_sizes& of) const {
    return static_cast<std::size_t>(of.rows) * row_bytes(of, of.heads - of.own_head);
  }

  std::vector<tensor_sizes> tensors_;
  std::int64_t head_dim_;
  std::int64_t positions_ = 0;
  std::int64_t most_heads_ = 0;
};

const char* text(norm_scope scope) {
  return scope == norm_scope::none ? "no norm" : (scope == norm_scope::head ? "by head" : "by row");
}

}  // namespace

void each_norm_rope_trial(const std::function<void(const kernel_trial&)>& visit) {
  const std::vector<tensor_sizes> cases[] = {{{1, 1, 0, 1}},
                                             {{5, 7, 16, 4}},
                                             {{33, 28, 512, 14}, {33, 4, 0, 4}, {0, 4, 0, 0}},
                                             {{3, 60, 0, 0}, {2, 1, 32, 1}}};
  for (const norm_scope scope : {norm_scope::none, norm_scope::head, norm_scope::hidden}) {
    for (const std::int64_t head_dim : {16, 48, 64, 128, 256, 512}) {
      if (scope == norm_scope::head && head_dim == 48) continue;
      for (const auto& tensors : cases) {
        const norm_rope_areas areas(tensors, head_dim);
        for (const rope_style style : {rope_style::neox, rope_style::interleaved}) {
          visit(
              {.kernel = "norm_rope_kernel",
               .what = fmt::format("{}, {}, {} tensors of {} channels a head, {} x {} the first",
                                   text(scope), style == rope_style::neox ? "halves" : "neighbours",
                                   tensors.size(), head_dim, tensors[0].rows, tensors[0].heads),
               .source = areas.source(),
               .target = areas.target(),
               .build = [&areas, scope, style](const trial_areas& at) {
                 return areas.build(at, scope, style);
               }});
        }
      }
    }
  }
}

}  // namespace ithaca::validation
