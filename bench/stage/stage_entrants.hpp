#pragma once

#include <string>
#include <vector>

#include "backend/device.hpp"
#include "bench/entrant.hpp"
#include "bench/options.hpp"

namespace ithaca::bench {

/// Every chosen schedule with every chosen arm, and its computation alone; the reference arm with
/// the reference schedule and its second self, if they are not among them. Throws `invalid_use` for
/// an unknown name or setting.
std::vector<entrant> stage_entrants(const exchange_options& options, device_kind kind,
                                    const arm& reference);

}  // namespace ithaca::bench
