#include "backend/cuda/driver_api.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

/// `version` is that of the typedef: the CUDA version that gave the function this signature.
template <class Function>
void resolve(Function& to, const char* name, unsigned version) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &found);
  if (status != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    throw invalid_use(std::string("no usable CUDA driver: ") + cudaGetErrorString(status));
  }
  if (found != cudaDriverEntryPointSuccess || !address) {
    throw invalid_use(std::string("the CUDA driver is too old: it lacks ") + name);
  }
  to = reinterpret_cast<Function>(address);
}

driver_api resolve_all() {
  driver_api api;
  resolve(api.get_error_name, "cuGetErrorName", 6000);
  resolve(api.get_error_string, "cuGetErrorString", 6000);
  resolve(api.device_get, "cuDeviceGet", 2000);
  resolve(api.device_get_name, "cuDeviceGetName", 2000);
  resolve(api.device_get_uuid, "cuDeviceGetUuid", 11040);
  resolve(api.device_get_attribute, "cuDeviceGetAttribute", 2000);
  resolve(api.mem_get_allocation_granularity, "cuMemGetAllocationGranularity", 10020);
  resolve(api.mem_create, "cuMemCreate", 10020);
  resolve(api.mem_release, "cuMemRelease", 10020);
  resolve(api.mem_export_to_shareable_handle, "cuMemExportToShareableHandle", 10020);
  resolve(api.mem_import_from_shareable_handle, "cuMemImportFromShareableHandle", 10020);
  resolve(api.mem_get_address_range, "cuMemGetAddressRange", 3020);
  resolve(api.mem_address_reserve, "cuMemAddressReserve", 10020);
  resolve(api.mem_address_free, "cuMemAddressFree", 10020);
  resolve(api.mem_map, "cuMemMap", 10020);
  resolve(api.mem_unmap, "cuMemUnmap", 10020);
  resolve(api.mem_set_access, "cuMemSetAccess", 10020);
  resolve(api.stream_write_value_64, "cuStreamWriteValue64", 11070);
  resolve(api.stream_wait_value_64, "cuStreamWaitValue64", 11070);
  return api;
}

}  // namespace

const driver_api& driver_api::get() {
  static const driver_api api = resolve_all();
  return api;
}

}  // namespace ithaca
