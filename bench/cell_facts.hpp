#pragma once

#include "backend/group.hpp"
#include "bench/prepared_scenario.hpp"
#include "bench/scenario.hpp"
#include "reports/cell_inputs.hpp"

namespace ithaca::bench {

/// What is known of a contender's cells before their first sample, as the metrics need it. The
/// contender is ready and has warmed up. Collective.
reports::cell_inputs cell_facts(const scenario& what, prepared_scenario& ready, contender& who,
                                group& world);

}  // namespace ithaca::bench
