#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "backend/device.hpp"

namespace ithaca {

/// A CUDA stream of its own, or a borrowed one. An own one doesn't wait for the default stream.
class native_stream {
 public:
  /// On the GPU `ordinal`, which becomes current.
  native_stream(int ordinal, stream_priority priority);
  /// One that stays its caller's, who keeps it alive for as long as this.
  static native_stream borrow(cudaStream_t stream) { return native_stream(stream); }

  native_stream(native_stream&& other) noexcept
      : stream_(other.stream_), owned_(std::exchange(other.owned_, false)) {}
  native_stream& operator=(native_stream&&) = delete;
  /// Returns at once; what was enqueued still runs.
  ~native_stream();

  cudaStream_t get() const { return stream_; }
  /// Hands the stream over to the caller.
  cudaStream_t release() {
    owned_ = false;
    return stream_;
  }

 private:
  explicit native_stream(cudaStream_t borrowed) : stream_(borrowed) {}

  cudaStream_t stream_ = nullptr;
  bool owned_ = false;
};

}  // namespace ithaca
