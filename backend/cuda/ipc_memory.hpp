#pragma once

#include <list>
#include <memory>

#include "backend/cuda/ipc_allocation.hpp"
#include "backend/cuda/ipc_retirement.hpp"
#include "backend/device.hpp"

namespace ithaca {

/// Memory of this process that others open by a CUDA IPC handle.
class ipc_memory final : public memory {
 public:
  using retirement = ipc_retirement<ipc_allocation>;

  /// On the GPU `ordinal`. `when_done` takes the allocation when this goes.
  ipc_memory(int ordinal, std::size_t bytes, std::shared_ptr<retirement> when_done);
  ~ipc_memory() override;

  /// The handle, the offset in what it names, and the count of those who have it open. Throws
  /// `invalid_use` where there are no such handles.
  shared_memory share() const;

 private:
  std::list<ipc_allocation> allocation_;  // one, in the node in which it will retire
  std::shared_ptr<retirement> retirement_;
};

}  // namespace ithaca
