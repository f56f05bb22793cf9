#include "backend/cuda/gpu_identity.hpp"

#include <array>

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/driver_api.hpp"

namespace ithaca {
namespace {

CUdevice driver_device(int ordinal) {
  CUdevice device = 0;
  check(driver_api::get().device_get(&device, ordinal), "cuDeviceGet");
  return device;
}

}  // namespace

std::string gpu_identity(int ordinal) {
  CUuuid uuid = {};
  check(driver_api::get().device_get_uuid(&uuid, driver_device(ordinal)), "cuDeviceGetUuid");
  // The driver tells instances by their names only: "NVIDIA A100-SXM4-40GB MIG 1g.5gb".
  const bool mig = gpu_name(ordinal).find(" MIG ") != std::string::npos;
  return uuid_text(mig ? "MIG-" : "GPU-", uuid.bytes);
}

std::string gpu_name(int ordinal) {
  std::array<char, 256> name = {};
  check(driver_api::get().device_get_name(name.data(), static_cast<int>(name.size()),
                                          driver_device(ordinal)),
        "cuDeviceGetName");
  return name.data();
}

bool is_mig(const std::string& identity) { return identity.starts_with("MIG-"); }

std::string uuid_text(const std::string& prefix, const char (&bytes)[16]) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = prefix;
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace ithaca
