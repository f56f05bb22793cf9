#pragma once

#include <cuda.h>
#include <cudaTypedefs.h>

namespace ithaca {

/// The driver functions that the runtime has no equal for, found through the runtime so that
/// nothing links libcuda.
struct driver_api {
  /// Resolved on the first call. Throws `invalid_use` if there is no driver, or it lacks one.
  static const driver_api& get();

  PFN_cuGetErrorName_v6000 get_error_name = nullptr;
  PFN_cuGetErrorString_v6000 get_error_string = nullptr;

  PFN_cuDeviceGet_v2000 device_get = nullptr;
  PFN_cuDeviceGetName_v2000 device_get_name = nullptr;
  PFN_cuDeviceGetUuid_v11040 device_get_uuid = nullptr;  ///< of the MIG instance, if it is one
  PFN_cuDeviceGetAttribute_v2000 device_get_attribute = nullptr;

  PFN_cuMemGetAllocationGranularity_v10020 mem_get_allocation_granularity = nullptr;
  PFN_cuMemCreate_v10020 mem_create = nullptr;
  PFN_cuMemRelease_v10020 mem_release = nullptr;
  PFN_cuMemExportToShareableHandle_v10020 mem_export_to_shareable_handle = nullptr;
  PFN_cuMemImportFromShareableHandle_v10020 mem_import_from_shareable_handle = nullptr;
  PFN_cuMemGetAddressRange_v3020 mem_get_address_range = nullptr;
  PFN_cuMemAddressReserve_v10020 mem_address_reserve = nullptr;
  PFN_cuMemAddressFree_v10020 mem_address_free = nullptr;
  PFN_cuMemMap_v10020 mem_map = nullptr;
  PFN_cuMemUnmap_v10020 mem_unmap = nullptr;
  PFN_cuMemSetAccess_v10020 mem_set_access = nullptr;

  PFN_cuStreamWriteValue64_v11070 stream_write_value_64 = nullptr;
  PFN_cuStreamWaitValue64_v11070 stream_wait_value_64 = nullptr;
};

}  // namespace ithaca
