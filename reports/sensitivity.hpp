#pragma once

#include <cstddef>

namespace ithaca::reports {

// How small a slowdown a comparison can find, and which margin it needs. docs/gate.md derives it.
//
// A slowdown x is found where x / e^(ta se) lies beyond 1 + margin, for the standard error `se` of
// ln x, with ta such that all comparisons of a gate together raise a false alarm in at most one of
// a hundred runs: ta = t(1 - 0.01 / n) for n comparisons (Bonferroni). t is the quantile of
// Student's distribution, for `se` itself is estimated, with `degrees` of freedom.

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

/// The quantile of Student's t that `tail` lies above, with `degrees` >= 1 of freedom: from the
/// normal quantile, by the expansion of Abramowitz and Stegun, "Handbook of mathematical
/// functions", 26.7.5, to its third term. For few degrees and small tails it is too small (5 and
/// 1e-5: by a tenth), where noise decides nothing anyway.
double student_quantile(double tail, double degrees);

/// ta above. `comparisons` is at least 1.
double alarm_quantile(std::size_t comparisons, double degrees);

/// The margin that a comparison with the standard error `standard_error` of its logarithm needs: no
/// less than `declared`, and so wide that equal runs lie wholly within it, in at least 95 of 100
/// runs with all their comparisons: e^((ta + td) se) - 1, td = t(1 - 0.05 / n).
double needed_margin(double declared, double standard_error, std::size_t comparisons,
                     double degrees);

/// The smallest slowdown that lies wholly beyond `margin` in at least 95 of 100 runs:
/// (1 + margin) e^((ta + tb) se) - 1, tb = t(0.95). A fraction: 0.05 is 5 % slower.
double smallest_slowdown(double margin, double standard_error, std::size_t comparisons,
                         double degrees);

/// The same for one run against a baseline of `fewest_launches` like it, whose comparison has the
/// standard error se sqrt(1 + 1 / `fewest_launches`), with the default margin or the one that it
/// needs. `degrees_of_run`: its rounds less its launches.
double smallest_slowdown_of_run(double standard_error, std::size_t comparisons,
                                double degrees_of_run);

}  // namespace ithaca::reports
