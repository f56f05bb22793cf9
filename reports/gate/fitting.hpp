#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reports/gate/expectation.hpp"
#include "reports/gate/observation.hpp"

namespace ithaca::reports::gate {

/// By cell and metric.
using expectations = std::map<std::pair<cell_key, std::string>, expectation>;
/// By metric's name: the margin that is declared for it.
using margins = std::map<std::string, double>;

/// What launches lead to expect: a random-effects model of each logarithm,
///   launch = value + launch effect (launch_error) + noise of its rounds (round_error / sqrt(n)).
///
/// `round_error` is the root mean square of the launches' errors times sqrt(rounds). The variance
/// of launch effects is what the launches' variance has beyond that noise (a moment estimate, as
/// DerSimonian and Laird, "Meta-analysis in clinical trials", 1986). Three launches say next to
/// nothing of it for one cell; so it is shared: the mean over all cells of a metric counts as four
/// further degrees of freedom (as Smyth, "Linear models and empirical Bayes methods", 2004, with
/// that number fixed). Margins and detectable slowdowns are those of `reports/sensitivity.hpp`, for
/// a run of one launch, among all ratios (times: among all times, too).
///
/// Figures have six significant digits, so that every
/// platform derives the same. Throws `std::invalid_argument`, naming the cell, if the noise between
/// its rounds is not known, or if a launch lacks its metric.
expectations fit(std::span<const std::vector<observation>> launches, const margins& declared);

/// How many of them are ratios: they share the false alarms of a gate.
std::size_t ratio_count(const expectations& all);

}  // namespace ithaca::reports::gate
