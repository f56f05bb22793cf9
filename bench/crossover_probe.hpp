#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/group.hpp"
#include "bench/start_gate.hpp"
#include "bench/ulysses_site.hpp"

namespace ithaca::bench {

struct probed_crossover {
  /// Bytes a peer up to which one push kernel is quicker than copy engine; 0 if it never is, or if
  /// the probe brought wrong bytes.
  std::size_t bytes = 0;
  std::uint64_t mismatched_bytes = 0;  ///< of all exchanges of the probe, over all ranks
};

/// Measures up to how many bytes a peer an exchange of Q, K and V is quicker by one push kernel
/// (arm push-exchange) than by copy engine: both at doubling sizes, samples in turn, medians
/// compared (see `crossing_bytes`). It ends before the first size that one of them can't run at
/// here, most often for want of memory, and holds what was measured until then. The same on every
/// rank. Collective over the world.
probed_crossover probe_crossover(group& world, ulysses_site& site, start_gate& gate);

}  // namespace ithaca::bench
