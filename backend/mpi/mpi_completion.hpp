#pragma once

#include <mpi.h>

#include <chrono>

#include "backend/watch.hpp"

namespace ithaca {

/// Completes `request`, without blocking in MPI. Throws `exchange_broken`, naming `what`, when
/// `deadline` passes first, or waiting is in vain by `looks_at` (may be null): MPI itself would
/// wait for a rank that is stopped or gone for ever.
void complete(MPI_Request request, std::chrono::steady_clock::time_point deadline, const char* what,
              watch* looks_at);

}  // namespace ithaca
