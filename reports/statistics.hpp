#pragma once

#include <cstdint>
#include <optional>
#include <random>
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

/// One value a round, by launch. Every launch has at least one round.
using round_values = std::vector<std::vector<double>>;

// Intervals over rounds and launches are percentile bootstraps. The rounds of a launch are
// resampled with replacement, not the samples, since samples of one round share its disturbances.
// With several launches it has two stages (Davison and Hinkley, "Bootstrap methods and their
// application", 1997, section 3.8): launches are resampled with replacement, then rounds within
// each that was drawn, for rounds of one launch share what differs between starts of the program.
// Few launches give a coarse interval: three can be drawn in ten ways only, which can't show more
// than two thirds of the variance between launches, and says little of its tails.

/// The median of the round medians with its 95 % interval; of several launches, the mean of theirs.
/// Throws `std::invalid_argument` without rounds.
estimate median_over_rounds(const round_values& round_medians, std::uint64_t seed);

/// How many times as fast as the reference: the geometric median over rounds of reference / arm,
/// with its 95 % interval; of several launches, the geometric mean of theirs.
///
/// Paired by round, because what slows a round slows both arms and cancels out. A median rather
/// than a geometric mean, because one round that was interrupted must not move the result; a
/// geometric one, because swapping the two arms must give exactly the reciprocal.
/// Throws `std::invalid_argument` unless both have the same rounds, at least one.
estimate ratio_over_rounds(const round_values& reference_medians, const round_values& arm_medians,
                           std::uint64_t seed);

/// The estimate's value alone, of the ratios of each round. Throws `std::invalid_argument` without.
double median_ratio(const round_values& ratios);

/// reference / arm of each round. Throws as above.
round_values ratios_of_rounds(const round_values& reference_medians,
                              const round_values& arm_medians);

/// The standard error of the logarithm of an estimate over rounds of positive values: about its
/// relative standard error. The largest of three, for each alone can be too small:
/// - what the interval says, ln(high / low) / (2 z) with z = 1.96: wrong (0, even) where few rounds
///   happen to be equal;
/// - sqrt(pi / 2) s / sqrt(n), the asymptotic one of the median of n normal values, with s the
///   standard deviation of the logarithms within launches: wrong where rounds have two modes;
/// - s / sqrt(L) of the L launches' own medians, where there are several.
/// Empty if there are fewer than two rounds in a launch on average: then nothing is known of noise.
std::optional<double> log_standard_error(const interval& ci95, const round_values& values);

/// The value that a standard normal variable stays below with probability `p`, 0 < p < 1.
double normal_quantile(double p);

}  // namespace ithaca::reports
