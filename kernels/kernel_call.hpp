#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace ithaca {

/// `height` rows of `width` bytes, `pitch` bytes apart: the bytes that an operation touches.
struct pitched_bytes {
  const std::byte* data = nullptr;
  std::size_t pitch = 0;
  std::size_t width = 0;
  std::size_t height = 1;
};

/// One computation for a stream, with an implementation for each kind of device.
///
/// `reads` and `writes` declare every byte that it touches; a simulating device checks them.
/// `cuda` launches on the native stream it is given (a `cudaStream_t`) and is empty in builds
/// without CUDA. `host` does the same work on the calling thread. Both may throw.
struct kernel_call {
  std::string name;  ///< the CUDA kernel's unqualified name, as a profiler shows it
  std::vector<pitched_bytes> reads;
  std::vector<pitched_bytes> writes;
  std::function<void(void* native_stream)> cuda;
  std::function<void()> host;
};

}  // namespace ithaca
