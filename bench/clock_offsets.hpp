#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "backend/group.hpp"

namespace ithaca::bench {

/// What each rank has to subtract from its clock's times to get rank 0's, by rank, the same on
/// every rank: as far as ranks leave a barrier at the same time, which takes the median of several.
/// Ranks of one host share its clock exactly, so that nothing of them changes its order; all zero
/// where there is one host. Collective.
std::vector<std::int64_t> clock_offsets_ns(group& world,
                                           const std::function<std::int64_t()>& now_ns);

}  // namespace ithaca::bench
