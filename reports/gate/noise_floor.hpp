#pragma once

#include <string>
#include <vector>

#include "reports/gate/comparison.hpp"

namespace ithaca::reports::gate {

/// One A/A comparison: the reference against itself under another name.
struct noise_floor {
  cell_key key;
  interval speedup;  ///< with the same rate of false alarms as the other comparisons
  double margin = 0;
  /// Whether some of the interval is within 1 / (1 + margin) .. 1 + margin: else something other
  /// than the arms decides which is quicker.
  bool is_within_its_band() const;
};

noise_floor noise_floor_of(const observation& seen, const expectation& expected,
                           std::size_t comparisons);

}  // namespace ithaca::reports::gate
