#pragma once

#include "backend/device.hpp"
#include "backend/group.hpp"
#include "bench/host_site.hpp"
#include "bench/start_gate.hpp"
#include "reports/links.hpp"

namespace ithaca::bench {

/// Measures what the paths between the ranks of each host can do: the ceiling of every ordered
/// pair, one pair of a host at a time (contiguous copies, the median of several), and the handshake
/// of all its ranks: each writes an epoch to every other and awaits theirs, many times back to
/// back; of several hosts the slowest's. No pair of different hosts has a ceiling. Collective over
/// the world.
reports::links probe_links(group& world, host_site& host, device& on, start_gate& gate);

}  // namespace ithaca::bench
