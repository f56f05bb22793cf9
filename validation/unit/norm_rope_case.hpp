#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels/bf16.hpp"
#include "kernels/norm_rope.hpp"
#include "validation/unit/shifted_buffer.hpp"

/// Calls of `norm_rope` on tensors of random values, for its tests.
namespace ithaca::kernels {

inline constexpr float norm_rope_epsilon = 1e-5f;

/// What one tensor of a call is made of.
struct tensor_case {
  std::int64_t rows = 0;
  std::int64_t heads = 0;
  std::size_t gap = 0;  ///< bytes between rows
  std::int64_t first_position = 0;
  std::optional<std::pair<std::int64_t, std::int64_t>> own = {};  ///< first head, heads
  std::size_t own_gap = 0;
};

struct call_case {
  norm_scope scope;
  rope_style style;
  std::int64_t head_dim;
  std::vector<tensor_case> tensors;

  std::string name() const {
    return fmt::format("scope {}, style {}, {} channels, {} tensors, the first {} x {}",
                       static_cast<int>(scope), static_cast<int>(style), head_dim, tensors.size(),
                       tensors[0].rows, tensors[0].heads);
  }
};

/// A tensor with room behind its last row and behind that of its own chunk.
struct made_tensor {
  tensor_case of;
  std::int64_t head_dim;
  shifted_buffer data;
  shifted_buffer own;
  std::vector<float> weights;
  std::vector<std::byte> data_before;

  made_tensor(const tensor_case& what, norm_scope scope, std::int64_t channels,
              std::mt19937& random)
      : of(what),
        head_dim(channels),
        data(static_cast<std::size_t>(of.rows) * row_bytes() + 64, 0),
        own(static_cast<std::size_t>(of.rows) * own_row_bytes() + 64, 0),
        weights(static_cast<std::size_t>(scope == norm_scope::none   ? 0
                                         : scope == norm_scope::head ? head_dim
                                                                     : of.heads * head_dim)) {
    std::normal_distribution<float> values(0, 3);
    std::uniform_real_distribution<float> factors(0.5f, 1.5f);
    for (std::int64_t row = 0; row < of.rows; ++row) {
      for (std::int64_t channel = 0; channel < of.heads * head_dim; ++channel) {
        const std::uint16_t bits = to_bf16(values(random));
        std::memcpy(data.data() + offset(row, channel), &bits, sizeof bits);
      }
    }
    for (float& weight : weights) weight = factors(random);
    data_before.assign(data.data(), data.data() + data.size());
  }

  std::size_t row_bytes() const {
    return static_cast<std::size_t>(of.heads * head_dim) * 2 + of.gap;
  }
  std::size_t own_row_bytes() const {
    return of.own ? static_cast<std::size_t>(of.own->second * head_dim) * 2 + of.own_gap : 0;
  }
  std::size_t offset(std::int64_t row, std::int64_t channel) const {
    return static_cast<std::size_t>(row) * row_bytes() + static_cast<std::size_t>(channel) * 2;
  }
  double before(std::int64_t row, std::int64_t channel) const {
    std::uint16_t bits;
    std::memcpy(&bits, data_before.data() + offset(row, channel), sizeof bits);
    return from_bf16(bits);
  }
  bool is_own(std::int64_t channel) const {
    const std::int64_t head = channel / head_dim;
    return of.own && head >= of.own->first && head < of.own->first + of.own->second;
  }
  /// Where a channel's result belongs.
  std::byte* place(std::int64_t row, std::int64_t channel) {
    if (!is_own(channel)) return data.data() + offset(row, channel);
    return own.data() + static_cast<std::size_t>(row) * own_row_bytes() +
           static_cast<std::size_t>(channel - of.own->first * head_dim) * 2;
  }

  norm_rope_tensor argument() {
    norm_rope_tensor made = {data.data(), row_bytes(),       of.rows,       of.heads,
                             head_dim,    of.first_position, weights.data()};
    if (of.own) made.own_chunk = {own.data(), own_row_bytes(), of.own->first, of.own->second};
    return made;
  }
};

inline std::vector<float> made_angles(std::int64_t positions, std::int64_t head_dim) {
  std::vector<float> made;
  for (std::int64_t position = 0; position < positions; ++position) {
    for (std::int64_t pair = 0; pair < head_dim / 2; ++pair) {
      const double angle =
          static_cast<double>(position + 1) *
          std::pow(10'000.0, -2.0 * static_cast<double>(pair) / static_cast<double>(head_dim));
      made.push_back(static_cast<float>(std::cos(angle)));
      made.push_back(static_cast<float>(std::sin(angle)));
    }
  }
  return made;
}

struct made_call {
  call_case what;
  std::vector<made_tensor> tensors;
  std::int64_t positions = 0;
  std::vector<float> angles;

  explicit made_call(const call_case& of) : what(of) {
    std::mt19937 random(7);
    for (const tensor_case& each : of.tensors) {
      tensors.emplace_back(each, of.scope, of.head_dim, random);
      positions = std::max(positions, each.first_position + each.rows);
    }
    angles = made_angles(positions, of.head_dim);
  }

  kernel_call build() {
    std::vector<norm_rope_tensor> arguments;
    for (made_tensor& each : tensors) arguments.push_back(each.argument());
    return norm_rope(arguments, what.scope, what.style, angles.data(), positions,
                     norm_rope_epsilon);
  }
};

}  // namespace ithaca::kernels
