#pragma once

#include <string>
#include <vector>

#include "backend/device.hpp"
#include "bench/entrant.hpp"
#include "bench/options.hpp"

namespace ithaca::bench {

/// The name of the arm that exchanges nothing.
inline constexpr const char* no_arm = "none";

/// The schedule that speedups of stages refer to, with the reference arm.
inline constexpr const char* reference_schedule = "sequential";

/// Every chosen schedule with every chosen arm, and its computation alone; the reference arm with
/// the reference schedule and its second self, if they are not among them. Throws `invalid_use` for
/// an unknown name or setting.
std::vector<entrant> stage_entrants(const exchange_options& options, device_kind kind,
                                    const arm& reference);

}  // namespace ithaca::bench
