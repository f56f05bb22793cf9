#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/estimate.hpp"
#include "reports/report.hpp"

namespace ithaca::reports {

/// An arm that leaves packing and laying out to its caller ("...-bare"): a bound, not what an
/// exchange takes.
bool is_bare(const std::string& arm);

/// Whether a cell is of a whole exchange or stage, not of a part of it.
bool is_whole(const cell& of);

/// Whether a cell is one of those that a person chooses among: measured, of a whole exchange or
/// stage, neither bare nor the reference's second self.
bool competes(const cell& of, const run_record& run);

/// Rounds below which nothing is decided: the range of n rounds holds the median in 1 - 2^(1 - n)
/// of all cases, which is 94 % of five, and 50 % of two.
inline constexpr std::size_t fewest_rounds = 5;

/// How a time lies beside another one, given the noise.
enum class finding {
  quicker,
  slower,
  not_decided,   ///< the interval reaches into the noise of equal arms, or holds 1
  not_compared,  ///< there is no ratio, or no arm was run twice
};

/// "quicker", "slower", "not decided", "not compared".
std::string to_string(finding of);

/// `ratio`: how many times as quick. Decided is what lies wholly outside of `noise` and of 1.
finding find(const std::optional<interval>& ratio, const std::optional<interval>& noise);

/// What a report says about one scenario: the cells among which a person chooses, and the choice.
/// Points into the report.
///
/// An exchange's scenario is a shape, dtype, degree and mode. A stage's is a shape, dtype and
/// degree: there schedules are chosen, too. Where exchanges and computations run beside each other
/// (`interference`) nothing is chosen, since what slows a computation least may be the slowest
/// exchange.
struct verdict {
  std::vector<const cell*> cells = {};  ///< all of the scenario, in the report's order
  const cell* reference = nullptr;      ///< null where it was not measured
  const cell* best = nullptr;           ///< the quickest that competes; null where none does
  /// Other cells that compete and can't be told from the best, quickest first.
  std::vector<const cell*> as_quick = {};
  /// How many times as quick equal arms seem: the A/A arm's interval, and its reciprocal, since it
  /// is chance which of the two is called the reference. Empty where none was run twice, in
  /// `fewest_rounds` at least.
  std::optional<interval> noise = std::nullopt;
  /// How the best lies beside the reference; of the reference itself, beside all the others.
  finding outcome = finding::not_compared;
};

/// The verdict on each scenario of a report, in the order of their first cells.
std::vector<verdict> verdicts(const report& of);

/// How a cell lies beside its scenario's reference; parts of stages are not compared, since the
/// noise is that of whole ones.
finding beside_reference(const cell& of, const verdict& in);

}  // namespace ithaca::reports
