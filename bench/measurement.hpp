#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "reports/cell.hpp"
#include "reports/cell_inputs.hpp"

namespace ithaca::bench {

/// One cell of a campaign, and what its metrics will be computed from.
struct measurement {
  reports::cell cell;
  reports::cell_inputs inputs;
  std::vector<double> cpu_seconds = {};  ///< by round, of this thread
  std::string disorder = {};             ///< what order was missing
  std::optional<reports::overlap_figures> overlap = std::nullopt;

  bool can_be_compared_with() const {
    return !inputs.samples.empty() && cell.status != reports::cell_status::refuted;
  }
  bool can_be_finished() const {
    return cell.status == reports::cell_status::incomplete && !cell.reason;
  }
};

/// The measurement of that cell; null if there is none. `in`: measurements that may be changed, or
/// not.
template <class Measurements>
auto find(Measurements& in, const reports::cell_key& of) {
  const auto found =
      std::ranges::find_if(in, [&](const measurement& each) { return each.cell.key == of; });
  return found == in.end() ? nullptr : &*found;
}

}  // namespace ithaca::bench
