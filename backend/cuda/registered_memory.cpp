#include "backend/cuda/registered_memory.hpp"

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/current_device.hpp"

namespace ithaca {

registered_memory::registered_memory(int ordinal, void* address, std::size_t bytes)
    : memory(nullptr, bytes) {
  make_current_device(ordinal);
  check(cudaHostRegister(address, bytes, cudaHostRegisterMapped | cudaHostRegisterPortable),
        "cudaHostRegister");
  registered_.reset(address);
  void* on_device = nullptr;
  check(cudaHostGetDevicePointer(&on_device, address, 0), "cudaHostGetDevicePointer");
  data_ = static_cast<std::byte*>(on_device);
}

void registered_memory::unregister::operator()(void* address) const noexcept {
  static_cast<void>(cudaHostUnregister(address));
}

}  // namespace ithaca
