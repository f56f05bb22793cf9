#pragma once

#include <cstddef>

namespace ithaca::reports {

// How small a slowdown a comparison can find, and which margin it needs. docs/gate.md derives it.
//
// A slowdown x is found where x / e^(za se) lies beyond 1 + margin, for the standard error `se` of
// ln x, with za such that all comparisons of a gate together raise a false alarm in at most one of
// a hundred runs: za = z(1 - 0.01 / n) for n comparisons (Bonferroni), z the normal quantile.

inline constexpr double false_alarms = 0.01;  ///< at most, of equal runs, over all comparisons
inline constexpr double doubtful = 0.05;      ///< at most, of equal runs that are called ambiguous
inline constexpr double missed = 0.05;        ///< at most, of slowdowns of the size that is named

/// What a change must exceed if nothing else is declared: a fraction, 0.025 is 2.5 %. With it, a
/// slowdown of 5 % is found wherever noise lets it be.
inline constexpr double default_margin = 0.025;
/// Noise may widen a margin up to this: beyond, a comparison is too noisy to decide anything.
inline constexpr double largest_margin = 0.10;
/// Launches that a baseline is derived from, at least.
inline constexpr std::size_t fewest_launches = 3;

/// za above. `comparisons` is at least 1.
double alarm_quantile(std::size_t comparisons);

/// The margin that a comparison with the standard error `standard_error` of its logarithm needs: no
/// less than `declared`, and so wide that equal runs lie wholly within it, in at least 95 of 100
/// runs with all their comparisons: e^((za + zd) se) - 1, zd = z(1 - 0.05 / n).
double needed_margin(double declared, double standard_error, std::size_t comparisons);

/// The smallest slowdown that lies wholly beyond `margin` in at least 95 of 100 runs:
/// (1 + margin) e^((za + zb) se) - 1, zb = z(0.95). A fraction: 0.05 is 5 % slower.
double smallest_slowdown(double margin, double standard_error, std::size_t comparisons);

/// The same for one launch against a baseline of `fewest_launches` like it, whose comparison has
/// the standard error se sqrt(1 + 1 / `fewest_launches`), with the default margin or the one that
/// it needs.
double smallest_slowdown(double standard_error_of_launch, std::size_t comparisons);

}  // namespace ithaca::reports
