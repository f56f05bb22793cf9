#pragma once

#include <memory>

#include "backend/device.hpp"
#include "backend/nccl/nccl_library.hpp"

namespace ithaca {

/// Memory of ncclMemAlloc, on the current device: what a window needs.
class nccl_memory final : public memory {
 public:
  /// Throws `invalid_use` if there is no room.
  nccl_memory(std::shared_ptr<const nccl_library> nccl, std::size_t bytes);
  ~nccl_memory() override;

 private:
  std::shared_ptr<const nccl_library> nccl_;
};

}  // namespace ithaca
