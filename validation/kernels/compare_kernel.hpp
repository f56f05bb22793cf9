#pragma once

#include <string>

#include "backend/device.hpp"
#include "validation/kernels/kernel_trial.hpp"

namespace ithaca::validation {

/// Runs the trial on both devices, each from the trial's contents. Returns where what they leave
/// differs, also in the bytes just before source and target; empty if nowhere.
///
/// Source and target end where their allocations end (but for their alignment), so that a tool that
/// knows allocations sees who goes past them. Throws `exchange_broken` for a launch that does not
/// end.
std::string compare_kernel(const kernel_trial& trial, device& subject, device& reference);

}  // namespace ithaca::validation
