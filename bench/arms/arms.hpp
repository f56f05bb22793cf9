#pragma once

#include "bench/arm.hpp"

namespace ithaca::bench {

/// Each arm is described in a file of its own in this folder; `table.cpp` lists them.
arm copy_engine_arm();
arm push_arm();
arm nccl_arm();
arm nccl_per_tensor_arm();
arm nccl_windows_arm();
arm nccl_zero_cta_arm();
arm mpi_arm();

}  // namespace ithaca::bench
