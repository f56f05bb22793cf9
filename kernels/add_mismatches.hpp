#pragma once

#include <cstdint>

#include "kernels/check.hpp"

/// For the host forms of kernels that check.
namespace ithaca::kernels {

/// Adds to `result`, which other streams may be adding to.
void add_mismatches(check_result& result, std::uint64_t bytes, std::uint64_t first);

}  // namespace ithaca::kernels
