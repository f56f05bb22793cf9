#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "reports/estimate.hpp"

namespace ithaca::reports {

/// Resamples of every bootstrap: its 2.5th and 97.5th percentiles then rest on 50 values each.
inline constexpr int bootstrap_resamples = 2000;

/// Percentile `percent` (0 to 100) with linear interpolation between the closest ranks: of n
/// sorted values the one at position (n - 1) percent / 100, counted from 0 (type 7 of Hyndman and
/// Fan, "Sample quantiles in statistical packages", 1996; NumPy's default).
/// Throws `std::invalid_argument` without values or for a percentage out of range.
double percentile(std::vector<double> values, double percent);

/// The 50th percentile: the middle value, or the mean of the two middle ones.
double median(std::vector<double> values);

/// The middle value, or the geometric mean of the two middle ones, so that the median of the
/// reciprocals is the reciprocal of the median. For positive values.
double geometric_median(std::vector<double> values);

/// A number in [0, bound), each equally likely: the engine's next output modulo `bound`, after
/// outputs below 2^64 mod `bound` are thrown away. The engine's outputs are fixed by the C++
/// standard while those of `std::uniform_int_distribution` are not, so a seed gives the same
/// interval with every standard library.
std::uint64_t draw_below(std::uint64_t bound, std::mt19937_64& engine);

/// The median of the round medians with its percentile-bootstrap interval: the rounds are resampled
/// with replacement, since samples of one round share its disturbances.
/// Throws `std::invalid_argument` without rounds.
estimate median_over_rounds(std::span<const double> round_medians, std::uint64_t seed);

/// How many times as fast as the reference: the geometric median over rounds of reference / arm,
/// with its percentile-bootstrap interval over rounds.
///
/// Paired by round, because what slows a round slows both arms and cancels out. A median rather
/// than a geometric mean, because one round that was interrupted must not move the result; a
/// geometric one, because swapping the two arms must give exactly the reciprocal.
/// Throws `std::invalid_argument` unless both have the same number of rounds, at least one.
estimate ratio_over_rounds(std::span<const double> reference_medians,
                           std::span<const double> arm_medians, std::uint64_t seed);

}  // namespace ithaca::reports
