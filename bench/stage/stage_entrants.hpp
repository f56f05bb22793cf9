#pragma once

#include <string>
#include <vector>

#include "backend/device.hpp"
#include "bench/entrant.hpp"
#include "bench/options.hpp"

namespace ithaca::bench {

/// The schedule that speedups refer to: the sequential one, of an ablation the one that is taken
/// apart.
std::string reference_schedule(const exchange_options& options);

/// Every chosen schedule with every chosen arm, and its computation alone; the reference arm with
/// the reference schedule and its second self, if they are not among them. With a report of tuned
/// schedules: each arm's best ones, and the reference schedule. Where schedules are searched, an
/// exchange alone is not sampled. An ablation changes one thing at a time: the arm, with the first
/// schedule, or the schedule, with the reference arm. Throws `invalid_use` for an unknown name or
/// setting, and for a report that can't be read or holds no stage.
std::vector<entrant> stage_entrants(const exchange_options& options, device_kind kind,
                                    const arm& reference);

/// Every chosen arm beside each computation, each as one schedule, and that computation alone.
/// Throws `invalid_use` for an unknown name.
std::vector<entrant> interference_entrants(const exchange_options& options, device_kind kind,
                                           const arm& reference);

}  // namespace ithaca::bench
