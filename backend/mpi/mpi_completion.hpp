#pragma once

#include <mpi.h>

#include <chrono>

namespace ithaca {

/// Completes `request`, without blocking in MPI. Throws `exchange_broken`, naming `what`, when
/// `deadline` passes first: MPI itself would wait for a stopped rank for ever.
void complete(MPI_Request request, std::chrono::steady_clock::time_point deadline,
              const char* what);

}  // namespace ithaca
