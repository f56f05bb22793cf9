#pragma once

#include <span>

#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "bench/contender.hpp"
#include "reports/cell_inputs.hpp"

namespace ithaca::bench {

/// What is known of a contender that exchanges `specs`, before its first sample, as the metrics
/// need it. The contender is ready and has warmed up. Collective.
reports::cell_inputs cell_facts(std::span<const tensor_spec> specs, contender& who, group& world);

}  // namespace ithaca::bench
