#pragma once

#include "backend/cuda/vmm_allocation.hpp"
#include "backend/cuda/vmm_mapping.hpp"
#include "backend/cuda/vmm_range.hpp"
#include "backend/device.hpp"

namespace ithaca {

/// GPU memory, this process's or a peer's, mapped for one GPU of this process.
class vmm_memory final : public memory {
 public:
  /// Maps `allocation` for the GPU `ordinal`. `bytes` are those that were asked for.
  vmm_memory(int ordinal, std::size_t bytes, vmm_allocation allocation);

  unique_fd descriptor() const { return allocation_.export_descriptor(); }

 private:
  vmm_allocation allocation_;
  vmm_range range_;
  vmm_mapping mapping_;
};

}  // namespace ithaca
