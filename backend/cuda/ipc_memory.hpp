#pragma once

#include <memory>

#include "backend/cuda/ipc_allocation.hpp"
#include "backend/cuda/ipc_retirement.hpp"
#include "backend/device.hpp"

namespace ithaca {

/// Memory of this process that others open by a CUDA IPC handle.
class ipc_memory final : public memory {
 public:
  /// On the GPU `ordinal`. `retirement` takes the allocation when this goes.
  ipc_memory(int ordinal, std::size_t bytes, std::shared_ptr<ipc_retirement> retirement);
  ~ipc_memory() override;

  /// The handle, the offset in what it names, and the count of those who have it open.
  shared_memory share() const;

 private:
  ipc_allocation allocation_;
  std::shared_ptr<ipc_retirement> retirement_;
};

}  // namespace ithaca
