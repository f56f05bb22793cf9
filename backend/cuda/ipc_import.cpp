#include "backend/cuda/ipc_import.hpp"

#include <cuda_runtime_api.h>

#include <cstring>
#include <utility>

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/current_device.hpp"
#include "backend/errors.hpp"

namespace ithaca {

ipc_import::ipc_import(int ordinal, shared_memory theirs, std::size_t bytes)
    : memory(nullptr, bytes), openers_(std::move(theirs.descriptor)) {
  cudaIpcMemHandle_t handle = {};
  if (theirs.handle.size() != sizeof handle) {
    throw invalid_use("what a peer shared is no CUDA IPC handle");
  }
  std::memcpy(&handle, theirs.handle.data(), sizeof handle);
  make_current_device(ordinal);
  check_served(cudaIpcOpenMemHandle(&base_, handle, cudaIpcMemLazyEnablePeerAccess),
               "a peer's CUDA IPC handle can't be opened");
  openers_.add();
  data_ = static_cast<std::byte*>(base_) + theirs.offset_bytes;
}

ipc_import::~ipc_import() {
  static_cast<void>(cudaIpcCloseMemHandle(base_));
  openers_.subtract();
}

}  // namespace ithaca
