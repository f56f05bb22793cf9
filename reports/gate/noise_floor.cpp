#include "reports/gate/noise_floor.hpp"

#include <algorithm>
#include <cmath>

#include "reports/sensitivity.hpp"

namespace ithaca::reports::gate {

bool noise_floor::is_within_its_band() const {
  return speedup.low <= 1 + margin && speedup.high >= 1 / (1 + margin);
}

noise_floor noise_floor_of(const observation& seen, const expectation& expected,
                           std::size_t comparisons) {
  const double reach = alarm_quantile(comparisons, degrees_of_freedom(expected)) *
                       observed_error(seen, expected, comparisons);
  return {seen.key,
          {std::exp(seen.log_value - reach), std::exp(seen.log_value + reach)},
          std::min(expected.margin, largest_margin)};
}

}  // namespace ithaca::reports::gate
