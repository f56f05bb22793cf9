#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "reports/gate/derivation.hpp"
#include "reports/gate/judgement.hpp"
#include "validation/unit/reports_small.hpp"

namespace ithaca::reports::gate {

inline std::vector<named_launch> launches_of(const small_launch& what = {}) {
  std::vector<named_launch> launches;
  for (const std::uint64_t seed : {1, 2, 3}) {
    small_launch each = what;
    each.seed = seed;
    const std::string name = "launch-" + std::to_string(seed) + "/report.json";
    launches.push_back({{"out/" + name, small_report(each)}, "content-" + std::to_string(seed)});
  }
  return launches;
}

inline baseline small_baseline(const small_launch& what = {}) {
  return derive(launches_of(what), default_margins());
}

inline cell& arm_of(report& in, const std::string& name) {
  for (cell& each : in.cells) {
    if (each.key.arm == name) return each;
  }
  throw std::logic_error("no arm " + name);
}

/// A fourth launch, whose copy engine takes so many times as long as in the baseline.
inline report fourth_launch(double slowness = 1, small_launch what = {}) {
  what.seed = 4;
  what.time_us["copy-engine"] *= slowness;
  return small_report(what);
}

inline result judged(const report& run, const baseline& against = small_baseline(),
                     judging what = {}) {
  return judge(against, "baseline.json", {"report.json", run}, what);
}

}  // namespace ithaca::reports::gate
