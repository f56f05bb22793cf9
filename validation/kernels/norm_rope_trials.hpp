#pragma once

#include <functional>

#include "validation/kernels/kernel_trial.hpp"

namespace ithaca::validation {

/// `norm_rope` in every form: sizes of heads, heads a row, strides, own chunks, several tensors.
void each_norm_rope_trial(const std::function<void(const kernel_trial&)>& visit);

}  // namespace ithaca::validation
