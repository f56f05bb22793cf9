#include "kernels/norm_rope_host.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/bf16.hpp"
#include "kernels/norm_rope_lane.hpp"

namespace ithaca::kernels {
namespace {

using packed_vector = std::array<std::uint16_t, vector_channels>;

/// As the lanes of a warp add them up; a power of two.
float butterfly(std::span<float> sums) {
  for (std::size_t half = sums.size() / 2; half > 0; half /= 2) {
    for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  }
  return sums.front();
}

/// One row of a tensor.
class row_form {
 public:
  row_form(const norm_rope_work& work, const norm_rope_tensor& tensor, std::size_t row)
      : work_(work),
        tensor_(tensor),
        row_(row),
        data_(tensor.data + row * tensor.row_bytes),
        angles_(work.cos_sin +
                (static_cast<std::size_t>(tensor.first_position) + row) * work.head_dim()) {}

  void transform() const {
    const auto heads = static_cast<std::uint32_t>(tensor_.heads);
    float factor = 1;
    if (work_.scope == norm_scope::hidden) {
      factor = inverse_rms(row_sum(), static_cast<float>(heads * work_.head_dim()), work_.epsilon);
    }
    for (std::uint32_t head = 0; head < heads; ++head) {
      if (work_.scope == norm_scope::head) {
        factor = inverse_rms(head_sum(head), static_cast<float>(work_.head_dim()), work_.epsilon);
      }
      for (std::uint32_t vector = 0; vector < work_.vectors(); ++vector) {
        norm_rope_lane lane = load(head, vector);
        if (work_.scope != norm_scope::none) scale(lane, factor, weights(head, vector));
        rotate(lane, work_.style, angles(vector));
        store(lane, head, vector);
      }
    }
  }

 private:
  std::size_t head_bytes() const { return work_.head_dim() * std::size_t{2}; }

  norm_rope_lane load(std::uint32_t head, std::uint32_t vector) const {
    const std::byte* at = data_ + head * head_bytes() + vector * sizeof(packed_vector);
    packed_vector low, high;
    std::memcpy(&low, at, sizeof low);
    std::memcpy(&high, at + head_bytes() / 2, sizeof high);
    norm_rope_lane lane;
    std::ranges::transform(low, lane.low, from_bf16);
    std::ranges::transform(high, lane.high, from_bf16);
    return lane;
  }

  void store(const norm_rope_lane& lane, std::uint32_t head, std::uint32_t vector) const {
    packed_vector low, high;
    std::ranges::transform(lane.low, low.begin(), to_bf16);
    std::ranges::transform(lane.high, high.begin(), to_bf16);
    std::byte* at = place_of(head) + vector * sizeof(packed_vector);
    std::memcpy(at, &low, sizeof low);
    std::memcpy(at + head_bytes() / 2, &high, sizeof high);
  }

  std::byte* place_of(std::uint32_t head) const {
    if (tensor_.own_chunk) {
      const std::int64_t inside = head - tensor_.own_chunk->first_head;
      if (inside >= 0 && inside < tensor_.own_chunk->heads) {
        return tensor_.own_chunk->target + row_ * tensor_.own_chunk->row_bytes +
               static_cast<std::size_t>(inside) * head_bytes();
      }
    }
    return data_ + head * head_bytes();
  }

  norm_rope_lane weights(std::uint32_t head, std::uint32_t vector) const {
    const float* at = tensor_.weights + vector * vector_channels;
    if (work_.scope == norm_scope::hidden) at += std::size_t{head} * work_.head_dim();
    norm_rope_lane lane;
    std::copy_n(at, vector_channels, lane.low);
    std::copy_n(at + work_.head_dim() / 2, vector_channels, lane.high);
    return lane;
  }

  lane_angles angles(std::uint32_t vector) const {
    const angle_runs runs = angles_of(work_.style, vector, work_.head_dim());
    lane_angles made;
    std::copy_n(angles_ + runs.first, vector_channels, made.cos_sin);
    std::copy_n(angles_ + runs.second, vector_channels, made.cos_sin + vector_channels);
    return made;
  }

  float head_sum(std::uint32_t head) const {
    std::array<float, max_norm_rope_head_dim / 16> sums{};
    for (std::uint32_t vector = 0; vector < work_.vectors(); ++vector) {
      sums[vector] = add_squares(load(head, vector), 0);
    }
    return butterfly(std::span(sums).first(work_.vectors()));
  }

  float row_sum() const {
    std::array<float, max_norm_rope_threads> sums = {};
    const std::uint32_t groups = work_.groups();
    for (std::uint32_t head = 0; head < static_cast<std::uint32_t>(tensor_.heads); ++head) {
      for (std::uint32_t vector = 0; vector < work_.vectors(); ++vector) {
        float& sum = sums[head % groups * work_.vectors() + vector];
        sum = add_squares(load(head, vector), sum);
      }
    }
    float whole = 0;
    for (std::uint32_t lane = 0; lane < work_.threads(); lane += lanes_per_warp) {
      whole += butterfly(std::span(sums).subspan(lane, lanes_per_warp));
    }
    return whole;
  }

  const norm_rope_work& work_;
  const norm_rope_tensor& tensor_;
  std::size_t row_;
  std::byte* data_;
  const float* angles_;
};

}  // namespace

void norm_rope_on_host(const norm_rope_work& work) {
  for (const norm_rope_tensor& tensor : work.tensors) {
    for (std::int64_t row = 0; row < tensor.rows; ++row) {
      row_form(work, tensor, static_cast<std::size_t>(row)).transform();
    }
  }
}

}  // namespace ithaca::kernels
