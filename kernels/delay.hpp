#pragma once

#include <chrono>

#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

/// Holds its stream for at least `duration` ("delay_kernel"), with one thread on one SM: makes a
/// rank slow. Not at all if `duration` is zero or negative.
kernel_call delay(std::chrono::nanoseconds duration);

}  // namespace ithaca::kernels
