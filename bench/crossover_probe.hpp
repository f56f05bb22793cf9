#pragma once

#include <cstddef>

#include "backend/group.hpp"
#include "bench/start_gate.hpp"
#include "bench/ulysses_site.hpp"

namespace ithaca::bench {

/// Measures up to how many bytes a peer an exchange of Q, K and V is quicker by one push kernel
/// (arm push-together) than by copy engine: both at doubling sizes, samples in turn, medians
/// compared; between the last size that push wins and the next one, the crossing of straight lines
/// over the logarithm of the size. 0 where it never wins; the largest size tried where it always
/// does. The same on every rank. Collective over the world.
std::size_t probe_crossover(group& world, ulysses_site& site, start_gate& gate);

}  // namespace ithaca::bench
