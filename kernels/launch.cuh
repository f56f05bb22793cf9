#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "kernels/launch_error.hpp"

namespace ithaca::kernels {

/// Enqueues `kernel` on `native_stream`, a `cudaStream_t`. Throws `launch_error`.
template <class... Parameters>
void launch(const char* name, void (*kernel)(Parameters...), std::uint64_t blocks, unsigned threads,
            void* native_stream, const std::type_identity_t<Parameters>&... arguments) {
  if (blocks > std::uint64_t{std::numeric_limits<int>::max()}) {
    throw launch_error(std::string(name) + ": too many bytes for one launch");
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(threads);
  config.stream = static_cast<cudaStream_t>(native_stream);
  void* addresses[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
  const cudaError_t status =
      cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), addresses);
  if (status != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // it is reported here, not by a later call
    throw launch_error(std::string(name) + ": " + cudaGetErrorName(status) + ": " +
                       cudaGetErrorString(status));
  }
}

}  // namespace ithaca::kernels
