#include "backend/cuda/vmm_memory.hpp"

#include <utility>

namespace ithaca {

vmm_memory::vmm_memory(int ordinal, std::size_t bytes, vmm_allocation allocation)
    : memory(nullptr, bytes),
      allocation_(std::move(allocation)),
      range_(allocation_.size_bytes()),
      mapping_(range_, allocation_) {
  mapping_.allow_access(ordinal);
  data_ = reinterpret_cast<std::byte*>(range_.begin());
}

}  // namespace ithaca
