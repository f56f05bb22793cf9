#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "backend/shared_count.hpp"

namespace ithaca {

/// Memory of cudaMalloc, with a count of the processes that have it open. Never frees itself while
/// one of them has: that is undefined (see ipc_retirement).
class ipc_allocation {
 public:
  /// On the GPU `ordinal`, which becomes current. Throws `invalid_use` if it has no room.
  ipc_allocation(int ordinal, std::size_t bytes);
  ipc_allocation(const ipc_allocation&) = delete;
  ipc_allocation& operator=(const ipc_allocation&) = delete;
  /// Leaves it to the end of the process where someone still has it open.
  ~ipc_allocation();

  std::byte* data() const { return static_cast<std::byte*>(at_); }
  const shared_count& openers() const { return openers_; }

 private:
  void* at_ = nullptr;
  shared_count openers_;
};

}  // namespace ithaca
