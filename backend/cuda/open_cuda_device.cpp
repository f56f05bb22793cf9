#include "backend/cuda/open_cuda_device.hpp"

#include <cuda_runtime_api.h>

#include "backend/cuda/cuda_device.hpp"
#include "backend/cuda/gpu_identity.hpp"

namespace ithaca {

int cuda_device_count() noexcept {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  static_cast<void>(cudaGetLastError());
  return 0;
}

std::vector<std::string> visible_cuda_devices() {
  std::vector<std::string> all;
  for (int ordinal = 0; ordinal < cuda_device_count(); ++ordinal) {
    all.push_back(gpu_identity(ordinal));
  }
  return all;
}

std::unique_ptr<device> open_cuda_device(int ordinal) {
  return std::make_unique<cuda_device>(ordinal);
}

std::string cuda_runtime_version() {
  int version = 0;
  if (cudaRuntimeGetVersion(&version) != cudaSuccess) return "unknown";
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace ithaca
