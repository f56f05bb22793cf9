#pragma once

namespace ithaca {

/// Whether this process was started by an MPI launcher (mpirun, srun). MPI_Init without one gives
/// a world of one rank, or fails where the launcher's files are missing.
bool started_by_launcher();

}  // namespace ithaca
