#pragma once

#include "backend/device.hpp"
#include "backend/shared_count.hpp"

namespace ithaca {

/// A peer's memory, opened by its CUDA IPC handle. One that is opened again in the process gets the
/// same address: CUDA counts, and unmaps it with the last close.
class ipc_import final : public memory {
 public:
  /// For the GPU `ordinal`, which becomes current.
  ipc_import(int ordinal, shared_memory theirs, std::size_t bytes);
  ~ipc_import() override;

 private:
  shared_count openers_;
  void* base_ = nullptr;
};

}  // namespace ithaca
