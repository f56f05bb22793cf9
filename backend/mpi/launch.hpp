#pragma once

namespace ithaca {

/// Whether this process was started by an MPI launcher (mpirun, srun). MPI_Init without one gives
/// a world of one rank, or fails where the launcher's files are missing.
bool started_by_launcher();

/// The rank that the launcher says this process will have; -1 if it says none.
int launched_rank();

}  // namespace ithaca
