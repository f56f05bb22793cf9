#pragma once

#include <cstddef>
#include <string_view>

#include "reports/gate/expectation.hpp"
#include "reports/gate/observation.hpp"
#include "reports/interval.hpp"

namespace ithaca::reports::gate {

/// What one comparison came to.
enum class outcome {
  unchanged,  ///< the whole interval is within the margin
  improved,   ///< the whole interval is better than expected by more than the margin
  worse,      ///< the whole interval lies beyond the margin
  ambiguous,  ///< the interval straddles the margin
  too_noisy,  ///< the baseline's own noise lets nothing be decided, and the interval is not beyond
};

std::string_view to_string(outcome of);

/// One metric of one cell, laid beside what is expected of it.
struct comparison {
  observation seen;
  expectation expected;
  double slowdown = 0;   ///< 0.05: 5 % worse than expected; negative: better
  interval slowdown_ci;  ///< so wide that all comparisons together keep the rate of false alarms
  outcome came_to = outcome::unchanged;
};

/// `comparisons`: among how many it is.
comparison compare(const observation& seen, const expectation& expected, std::size_t comparisons);

/// The standard error of the observation's logarithm, that of its launches with it.
///
/// Of one launch: the noise of its rounds and of the baseline's, pooled by their degrees of
/// freedom, since few rounds can look quiet by chance; its own alone where that is larger than
/// chance explains. Beside it what launches differ by, of which one launch knows nothing. Of
/// several merged ones, whose interval covers them: that, but no less than the baseline expects.
double observed_error(const observation& seen, const expectation& expected,
                      std::size_t comparisons);

}  // namespace ithaca::reports::gate
