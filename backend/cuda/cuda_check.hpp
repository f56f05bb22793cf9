#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <source_location>

namespace ithaca {

/// Throws `exchange_broken` with what was done, the error's name and its text, unless `status` is
/// success.
void check(cudaError_t status, const char* what,
           const std::source_location& at = std::source_location::current());
void check(CUresult status, const char* what,
           const std::source_location& at = std::source_location::current());

/// The same for a request that another way of sharing memory may serve: `invalid_use`, on which a
/// communicator falls back.
void check_served(cudaError_t status, const char* what);
void check_served(CUresult status, const char* what);

}  // namespace ithaca
