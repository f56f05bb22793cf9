#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/entrant.hpp"
#include "bench/prepared_scenario.hpp"
#include "bench/scenario.hpp"
#include "bench/start_gate.hpp"
#include "bench/ulysses_site.hpp"
#include "reports/kernel_rates.hpp"

namespace ithaca::bench {

/// What a campaign samples: exchanges alone, or stages around them.
struct subject {
  /// Empty, or why no rank can run the scenario. Allocates nothing.
  std::string (*why_not)(const scenario& what);
  /// Device bytes that a scenario takes on group rank `rank`, at most.
  std::size_t (*required_bytes)(const scenario& what, const std::vector<entrant>& entrants,
                                int rank);
  /// Collective. Throws `invalid_use` on every rank alike if there is no room for what all entrants
  /// share; one that finds none for itself is not ready.
  std::unique_ptr<prepared_scenario> (*prepare)(const scenario& what,
                                                const std::vector<entrant>& entrants,
                                                ulysses_site& site, group& world, start_gate& gate);
  /// Measures on this rank's device the kernels that samples take besides; null: they take none.
  std::vector<reports::kernel_rate> (*probe_kernels)(const scenario& what, device& on) = nullptr;
  /// Whether cells differ in their schedule as arms do, so that any computation alone is one for
  /// all.
  bool compares_schedules = false;
};

}  // namespace ithaca::bench
