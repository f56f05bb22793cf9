#pragma once

#include <string>
#include <vector>

#include "bench/arm.hpp"
#include "bench/exchange_mode.hpp"

namespace ithaca::bench {

/// The schedule of cells in which nothing but the exchange runs.
inline constexpr const char* no_schedule = "exchange";

/// The arm of cells in which nothing is exchanged.
inline constexpr const char* no_arm = "none";

/// An arm in a campaign, under the names that its cells carry.
struct entrant {
  std::string name;  ///< the arm's, or the second one of the A/A pair
  const arm* what;
  std::vector<exchange_mode> modes;  ///< in which it is sampled
  std::string schedule = no_schedule;

  /// With its schedule, if it has one.
  std::string full_name() const { return schedule == no_schedule ? name : schedule + " " + name; }
};

}  // namespace ithaca::bench
