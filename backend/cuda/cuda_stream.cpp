#include "backend/cuda/cuda_stream.hpp"

#include <stdexcept>
#include <utility>

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/cuda_device.hpp"
#include "backend/cuda/cuda_event.hpp"
#include "backend/cuda/cuda_graph.hpp"
#include "backend/cuda/current_device.hpp"
#include "backend/cuda/driver_api.hpp"
#include "backend/errors.hpp"
#include "kernels/launch_error.hpp"

namespace ithaca {
namespace {

CUdeviceptr driver_address(const std::uint64_t* word) {
  return reinterpret_cast<CUdeviceptr>(word);
}

}  // namespace

cuda_stream::cuda_stream(std::string name, const observer_slot& observers, int ordinal,
                         native_stream native)
    : stream(std::move(name), observers), ordinal_(ordinal), native_(std::move(native)) {}

std::unique_ptr<cuda_stream> cuda_stream::from_native(const cuda_device& on, std::string name,
                                                      cudaStream_t native) {
  return std::make_unique<cuda_stream>(std::move(name), on.observers(), on.ordinal(),
                                       native_stream::borrow(native));
}

void cuda_stream::record(event& at) {
  make_current_device(ordinal_);
  check(cudaEventRecord(dynamic_cast<cuda_event&>(at).native(), native_.get()), "cudaEventRecord");
}

void cuda_stream::wait(const event& at) {
  make_current_device(ordinal_);
  check(cudaStreamWaitEvent(native_.get(), dynamic_cast<const cuda_event&>(at).native(), 0),
        "cudaStreamWaitEvent");
}

std::uint64_t cuda_stream::capture_id() const {
  make_current_device(ordinal_);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  check(cudaStreamGetCaptureInfo(native_.get(), &status, &id), "cudaStreamGetCaptureInfo");
  return status == cudaStreamCaptureStatusNone ? 0 : id;
}

void cuda_stream::begin_capture() {
  make_current_device(ordinal_);
  check(cudaStreamBeginCapture(native_.get(), cudaStreamCaptureModeThreadLocal),
        "cudaStreamBeginCapture");
}

std::unique_ptr<graph> cuda_stream::end_capture() {
  make_current_device(ordinal_);
  cudaGraph_t captured = nullptr;
  check(cudaStreamEndCapture(native_.get(), &captured), "cudaStreamEndCapture");
  return std::make_unique<cuda_graph>(captured);
}

void cuda_stream::replay(const graph& captured) {
  make_current_device(ordinal_);
  check(cudaGraphLaunch(dynamic_cast<const cuda_graph&>(captured).executable(), native_.get()),
        "cudaGraphLaunch");
}

bool cuda_stream::idle() {
  make_current_device(ordinal_);
  const cudaError_t status = cudaStreamQuery(native_.get());
  if (status == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());  // an answer, not an error for others to find
    return false;
  }
  check(status, ("stream '" + name() + "'").c_str());
  return true;
}

void cuda_stream::enqueue_copy(const copy_2d& op, const operation&) {
  make_current_device(ordinal_);
  if (op.height == 1) {
    // Pitches mean nothing here, and as a width a row may exceed the largest pitch (2 GB).
    check(cudaMemcpyAsync(op.target, op.source, op.width, cudaMemcpyDefault, native_.get()),
          "cudaMemcpyAsync");
  } else {
    check(cudaMemcpy2DAsync(op.target, op.target_pitch, op.source, op.source_pitch, op.width,
                            op.height, cudaMemcpyDefault, native_.get()),
          "cudaMemcpy2DAsync");
  }
}

void cuda_stream::enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                                      const operation&) {
  make_current_device(ordinal_);
  check(driver_api::get().stream_write_value_64(native_.get(), driver_address(address), value,
                                                CU_STREAM_WRITE_VALUE_DEFAULT),
        "cuStreamWriteValue64");
}

void cuda_stream::enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                                     const operation&) {
  make_current_device(ordinal_);
  check(driver_api::get().stream_wait_value_64(native_.get(), driver_address(address), value,
                                               CU_STREAM_WAIT_VALUE_GEQ),
        "cuStreamWaitValue64");
}

void cuda_stream::enqueue_kernel(const kernel_call& call, const operation&) {
  if (!call.cuda) throw std::logic_error(call.name + " has no CUDA implementation");
  make_current_device(ordinal_);
  try {
    call.cuda(native_.get());
  } catch (const kernels::launch_error& error) {
    throw exchange_broken(error.what());
  }
}

}  // namespace ithaca
