#include "backend/device.hpp"

namespace ithaca {

std::string_view to_string(device_kind kind) {
  switch (kind) {
    case device_kind::cuda:
      return "cuda";
    case device_kind::host:
      return "host";
    case device_kind::sim:
      return "sim";
  }
  return "unknown";
}

std::unique_ptr<memory> device::allocate(std::size_t bytes, memory_sharing how) {
  ++allocation_count_;
  return do_allocate(bytes, how);
}

}  // namespace ithaca
