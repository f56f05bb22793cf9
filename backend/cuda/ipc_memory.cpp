#include "backend/cuda/ipc_memory.hpp"

#include <cuda.h>

#include <span>
#include <utility>

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/driver_api.hpp"

namespace ithaca {

ipc_memory::ipc_memory(int ordinal, std::size_t bytes, std::shared_ptr<retirement> when_done)
    : memory(nullptr, bytes), retirement_(std::move(when_done)) {
  data_ = allocation_.emplace_back(ordinal, bytes).data();
}

ipc_memory::~ipc_memory() { retirement_->take(allocation_); }

shared_memory ipc_memory::share() const {
  cudaIpcMemHandle_t handle = {};
  check_served(cudaIpcGetMemHandle(&handle, data_),
               "memory has no CUDA IPC handle here (cudaIpcGetMemHandle)");
  // The runtime may have cut several allocations from one, whose base is what a handle names.
  CUdeviceptr base = 0;
  std::size_t size = 0;
  const auto here = reinterpret_cast<CUdeviceptr>(data_);
  check(driver_api::get().mem_get_address_range(&base, &size, here), "cuMemGetAddressRange");

  shared_memory shared;
  shared.descriptor = allocation_.front().openers().duplicate();
  const auto bytes = std::as_bytes(std::span(&handle, 1));
  shared.handle.assign(bytes.begin(), bytes.end());
  shared.offset_bytes = here - base;
  return shared;
}

}  // namespace ithaca
