#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace ithaca::traces {

// NVML's C interface as far as it is used, after nvml.h of the CUDA toolkit (cuda-nvml-dev). That
// header is missing from many toolkits while every driver brings the library, whose interface is
// kept: what changes gets a name with another suffix.

using nvml_device = struct nvml_device_handle*;
using nvml_status = int;

inline constexpr nvml_status nvml_success = 0;
inline constexpr unsigned nvml_clock_sm = 1;
inline constexpr unsigned nvml_clock_memory = 2;
inline constexpr unsigned nvml_temperature_gpu = 0;
inline constexpr unsigned nvml_policy_power = 0;
inline constexpr unsigned nvml_policy_thermal = 1;
inline constexpr unsigned nvml_field_nvlink_data_sent = 138;      ///< KiB
inline constexpr unsigned nvml_field_nvlink_data_received = 139;  ///< KiB
inline constexpr unsigned nvml_all_links = UINT32_MAX;
inline constexpr unsigned nvml_most_links = 36;  ///< NVML_NVLINK_MAX_LINKS
inline constexpr unsigned nvml_remote_gpu = 0;
inline constexpr unsigned nvml_remote_switch = 2;

/// nvmlPciInfo_t
struct nvml_pci_info {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned device_id;
  unsigned subsystem_id;
  char bus_id[32];
};
static_assert(sizeof(nvml_pci_info) == 68);

/// nvmlFieldValue_t
struct nvml_field_value {
  std::uint32_t field;
  std::uint32_t scope;
  std::int64_t timestamp_us;
  std::int64_t latency_us;
  unsigned type;  ///< of `value`: 1 unsigned int, 2 unsigned long, 3 unsigned long long
  nvml_status status;
  union {
    unsigned as_unsigned;
    std::uint64_t as_unsigned_long;
  } value;
};
static_assert(sizeof(nvml_field_value) == 40);

/// nvmlViolationTime_t
struct nvml_violation_time {
  std::uint64_t reference_us;
  std::uint64_t violation_ns;
};

/// The functions; null where this library lacks one.
struct nvml_functions {
  nvml_status (*init)() = nullptr;
  nvml_status (*shutdown)() = nullptr;
  const char* (*error_string)(nvml_status) = nullptr;
  nvml_status (*device_by_uuid)(const char* uuid, nvml_device*) = nullptr;
  nvml_status (*clock_mhz)(nvml_device, unsigned clock, unsigned*) = nullptr;
  nvml_status (*power_mw)(nvml_device, unsigned*) = nullptr;
  nvml_status (*temperature_c)(nvml_device, unsigned sensor, unsigned*) = nullptr;
  nvml_status (*clock_reasons)(nvml_device, unsigned long long*) = nullptr;
  nvml_status (*violation)(nvml_device, unsigned policy, nvml_violation_time*) = nullptr;
  nvml_status (*field_values)(nvml_device, int count, nvml_field_value*) = nullptr;
  nvml_status (*pci_info)(nvml_device, nvml_pci_info*) = nullptr;
  nvml_status (*common_ancestor)(nvml_device, nvml_device, unsigned* level) = nullptr;
  nvml_status (*link_state)(nvml_device, unsigned link, unsigned* active) = nullptr;
  nvml_status (*link_remote_type)(nvml_device, unsigned link, unsigned*) = nullptr;
  nvml_status (*link_remote_pci)(nvml_device, unsigned link, nvml_pci_info*) = nullptr;
};

/// NVML as it was found at run time, ready for use until the last owner lets go. `name`: a path, or
/// a name for the dynamic linker. Throws `std::runtime_error` in words if there is none, or if it
/// does not start (no driver, no GPU).
std::shared_ptr<const nvml_functions> open_nvml(const std::string& name = "libnvidia-ml.so.1");

}  // namespace ithaca::traces
