#pragma once

#include "backend/device.hpp"
#include "backend/group.hpp"
#include "bench/start_gate.hpp"
#include "reports/links.hpp"

namespace ithaca::bench {

/// Measures what the paths between the ranks can do: the ceiling of every ordered pair, one pair
/// at a time (contiguous copies, the median of several), and the handshake of all ranks: each
/// writes an epoch to every other and awaits theirs, many times back to back. Collective.
reports::links probe_links(group& world, device& on, start_gate& gate);

}  // namespace ithaca::bench
