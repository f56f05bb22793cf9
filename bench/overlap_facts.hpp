#pragma once

#include "reports/overlap_figures.hpp"
#include "traces/stage_overlap.hpp"

namespace ithaca::bench {

/// What a stage's cell carries of one run of it, without the comparison with its parts alone.
reports::overlap_figures overlap_facts(const traces::stage_overlap& of);

}  // namespace ithaca::bench
