#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "kernels/launch_error.hpp"

namespace ithaca::kernels {

/// Throws `launch_error` unless `status` is good.
inline void require_launched(const char* name, cudaError_t status) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // it is reported here, not by a later call
  throw launch_error(std::string(name) + ": " + cudaGetErrorName(status) + ": " +
                     cudaGetErrorString(status));
}

struct launch_grid {
  std::uint64_t blocks = 0;
  unsigned threads = 0;          ///< a block
  std::size_t shared_bytes = 0;  ///< a block, dynamic
};

/// Enqueues `kernel` on `native_stream`, a `cudaStream_t`. Throws `launch_error`.
template <class... Parameters>
void launch(const char* name, void (*kernel)(Parameters...), const launch_grid& grid,
            void* native_stream, const std::type_identity_t<Parameters>&... arguments) {
  if (grid.blocks > std::uint64_t{std::numeric_limits<int>::max()}) {
    throw launch_error(std::string(name) + ": too many bytes for one launch");
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(grid.blocks));
  config.blockDim = dim3(grid.threads);
  config.dynamicSmemBytes = grid.shared_bytes;
  config.stream = static_cast<cudaStream_t>(native_stream);
  void* addresses[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
  require_launched(name,
                   cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), addresses));
}

}  // namespace ithaca::kernels
