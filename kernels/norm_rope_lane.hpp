#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/element_pattern.hpp"
#include "kernels/norm_rope.hpp"

/// The arithmetic of `norm_rope`, one for all devices. Every product that is added to something is
/// a written-out `fmaf` and nothing is left to a compiler to join, so that all round alike.
namespace ithaca::kernels {

/// Channels of a vector of 16 bytes.
inline constexpr std::uint32_t vector_channels = 8;

/// What one thread holds of a head: vector v of its lower half, channels [8 v, 8 v + 8), and the
/// same of its upper half. Either style's pairs lie inside.
struct norm_rope_lane {
  float low[vector_channels];
  float high[vector_channels];
};

/// Cosine and sine of a lane's eight pairs, in the order of its channels.
struct lane_angles {
  float cos_sin[2 * vector_channels];
};

/// Where a lane's angles begin in its position's row of the table: two runs of four pairs.
struct angle_runs {
  std::uint32_t first;
  std::uint32_t second;
};

ITHACA_HOST_DEVICE inline angle_runs angles_of(rope_style style, std::uint32_t vector,
                                               std::uint32_t head_dim) {
  if (style == rope_style::neox) return {16 * vector, 16 * vector + 8};
  return {8 * vector, 8 * vector + head_dim / 2};
}

ITHACA_HOST_DEVICE inline float add_squares(const norm_rope_lane& of, float sum) {
  for (const float x : of.low) sum = fmaf(x, x, sum);
  for (const float x : of.high) sum = fmaf(x, x, sum);
  return sum;
}

ITHACA_HOST_DEVICE inline float inverse_rms(float sum_of_squares, float channels, float epsilon) {
  return 1.0f / sqrtf(sum_of_squares / channels + epsilon);
}

ITHACA_HOST_DEVICE inline void scale(norm_rope_lane& lane, float factor,
                                     const norm_rope_lane& weights) {
  for (std::uint32_t i = 0; i < vector_channels; ++i) {
    lane.low[i] = lane.low[i] * factor * weights.low[i];
    lane.high[i] = lane.high[i] * factor * weights.high[i];
  }
}

ITHACA_HOST_DEVICE inline void rotate(float& a, float& b, float cosine, float sine) {
  const float b_sine = b * sine;
  const float a_sine = a * sine;
  a = fmaf(a, cosine, -b_sine);
  b = fmaf(b, cosine, a_sine);
}

ITHACA_HOST_DEVICE inline void rotate(norm_rope_lane& lane, rope_style style,
                                      const lane_angles& angles) {
  const float* at = angles.cos_sin;
  if (style == rope_style::neox) {
    for (std::uint32_t i = 0; i < vector_channels; ++i) {
      rotate(lane.low[i], lane.high[i], at[2 * i], at[2 * i + 1]);
    }
    return;
  }
  for (std::uint32_t i = 0; i < vector_channels; i += 2) {
    rotate(lane.low[i], lane.low[i + 1], at[i], at[i + 1]);
    rotate(lane.high[i], lane.high[i + 1], at[vector_channels + i], at[vector_channels + i + 1]);
  }
}

}  // namespace ithaca::kernels
