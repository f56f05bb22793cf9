#pragma once

#include <cstdint>
#include <string>

#include "validation/contract/contract_site.hpp"

namespace ithaca::validation {

/// What else runs while a graph is replayed.
enum class between_replays { nothing, eager_exchanges };

/// Collective. Captures a layer (the scatter of Q, K and V and the gather of O, each awaited, read
/// and released) into a graph on two streams, and replays it `replays` times, with fresh data each
/// time, a rank in turn being late, and (unless there is to be nothing) eager exchanges of the same
/// tags in between. Returns what is wrong, empty if nothing. The exchanger can be captured.
std::string graph_replays(contract_site& site, std::uint64_t replays,
                          between_replays beside = between_replays::eager_exchanges);

}  // namespace ithaca::validation
