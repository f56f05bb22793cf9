#include "traces/nvml/nvml_functions.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace ithaca::traces {
namespace {

/// Null if the library lacks it.
template <class Function>
void find(void* library, const char* symbol, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, symbol));
}

template <class Function>
void need(void* library, const char* symbol, Function& function) {
  find(library, symbol, function);
  if (!function) throw std::runtime_error(std::string("this NVML has no ") + symbol);
}

nvml_functions functions_of(void* library) {
  nvml_functions found;
  need(library, "nvmlInit_v2", found.init);
  need(library, "nvmlShutdown", found.shutdown);
  need(library, "nvmlErrorString", found.error_string);
  need(library, "nvmlDeviceGetHandleByUUID", found.device_by_uuid);
  find(library, "nvmlDeviceGetClockInfo", found.clock_mhz);
  find(library, "nvmlDeviceGetPowerUsage", found.power_mw);
  find(library, "nvmlDeviceGetTemperature", found.temperature_c);
  // The same function under its name before driver 535.
  find(library, "nvmlDeviceGetCurrentClocksEventReasons", found.clock_reasons);
  if (!found.clock_reasons) {
    find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", found.clock_reasons);
  }
  find(library, "nvmlDeviceGetViolationStatus", found.violation);
  find(library, "nvmlDeviceGetFieldValues", found.field_values);
  find(library, "nvmlDeviceGetPciInfo_v3", found.pci_info);
  find(library, "nvmlDeviceGetTopologyCommonAncestor", found.common_ancestor);
  find(library, "nvmlDeviceGetNvLinkState", found.link_state);
  find(library, "nvmlDeviceGetNvLinkRemoteDeviceType", found.link_remote_type);
  find(library, "nvmlDeviceGetNvLinkRemotePciInfo_v2", found.link_remote_pci);
  return found;
}

}  // namespace

std::shared_ptr<const nvml_functions> open_nvml(const std::string& name) {
  // It stays loaded: NVML is the driver's, and others in the process may use it.
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::runtime_error(std::string("NVML can't be loaded: ") + dlerror());
  const nvml_functions found = functions_of(library);
  if (const nvml_status status = found.init(); status != nvml_success) {
    throw std::runtime_error(std::string("NVML does not start: ") + found.error_string(status));
  }
  return {new nvml_functions(found), [](const nvml_functions* open) {
            open->shutdown();
            delete open;
          }};
}

}  // namespace ithaca::traces
