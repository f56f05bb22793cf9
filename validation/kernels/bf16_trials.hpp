#pragma once

#include <functional>

#include "validation/kernels/kernel_trial.hpp"

namespace ithaca::validation {

/// The part of `each_kernel_trial` for what fills and compares bf16 matrices.
void each_bf16_trial(const std::function<void(const kernel_trial&)>& visit);

}  // namespace ithaca::validation
