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

}  // namespace ithaca
