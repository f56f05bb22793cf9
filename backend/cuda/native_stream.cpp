#include "backend/cuda/native_stream.hpp"

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/current_device.hpp"

namespace ithaca {

native_stream::native_stream(int ordinal, stream_priority priority) {
  make_current_device(ordinal);
  int least = 0;
  int greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking,
                                     priority == stream_priority::high ? greatest : least),
        "cudaStreamCreateWithPriority");
  owned_ = true;
}

native_stream::~native_stream() {
  if (owned_) static_cast<void>(cudaStreamDestroy(stream_));
}

}  // namespace ithaca
