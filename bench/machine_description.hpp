#pragma once

#include "backend/group.hpp"
#include "bench/device_choice.hpp"
#include "reports/machine.hpp"

namespace ithaca::bench {

/// Describes where the run takes place. Collective. Library versions that only some part of the
/// run knows (NCCL, MPI) are left for it to fill in.
reports::machine describe_machine(group& world, const chosen_device& chosen);

}  // namespace ithaca::bench
