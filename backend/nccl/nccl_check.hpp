#pragma once

#include <source_location>

#include "backend/nccl/nccl_library.hpp"

namespace ithaca {

/// Throws `exchange_broken` with NCCL's own text unless `status` is ncclSuccess.
void check(const nccl_library& nccl, ncclResult_t status, const char* what,
           const std::source_location& at = std::source_location::current());

}  // namespace ithaca
