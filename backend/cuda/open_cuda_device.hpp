#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/device.hpp"

// The way to GPUs for those who know no CUDA.

namespace ithaca {

/// The GPUs that this process can use; 0, and no error, without a GPU or a driver.
int cuda_device_count() noexcept;

/// Their identities, by ordinal.
std::vector<std::string> visible_cuda_devices();

/// Throws `invalid_use` if there is no such GPU.
std::unique_ptr<device> open_cuda_device(int ordinal);

/// Version of the CUDA runtime that this build uses, e.g. "13.0".
std::string cuda_runtime_version();

}  // namespace ithaca
