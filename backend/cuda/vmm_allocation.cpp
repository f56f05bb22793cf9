#include "backend/cuda/vmm_allocation.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/driver_api.hpp"
#include "backend/cuda/out_of_memory.hpp"
#include "backend/errors.hpp"

namespace ithaca {
namespace {

CUmemAllocationProp shareable_on(int ordinal) {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = ordinal;
  return properties;
}

/// `bytes` in whole allocation units. Exporter and importer both count on it.
std::size_t round_up(const CUmemAllocationProp& properties, std::size_t bytes) {
  if (bytes == 0) throw invalid_use("GPU memory of 0 bytes was asked for");
  std::size_t unit = 0;
  check(driver_api::get().mem_get_allocation_granularity(&unit, &properties,
                                                         CU_MEM_ALLOC_GRANULARITY_MINIMUM),
        "cuMemGetAllocationGranularity");
  if (bytes > std::numeric_limits<std::size_t>::max() - unit) {
    throw invalid_use("GPU memory of more bytes than there are addresses was asked for");
  }
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

vmm_allocation vmm_allocation::create(int ordinal, std::size_t bytes) {
  const CUmemAllocationProp properties = shareable_on(ordinal);
  const std::size_t size = round_up(properties, bytes);
  CUmemGenericAllocationHandle handle = 0;
  const CUresult status = driver_api::get().mem_create(&handle, size, &properties, 0);
  if (status == CUDA_ERROR_OUT_OF_MEMORY) refuse_for_memory(ordinal, size);
  check(status, "cuMemCreate");
  return {handle, size};
}

vmm_allocation vmm_allocation::import(int ordinal, const unique_fd& descriptor, std::size_t bytes) {
  const std::size_t size = round_up(shareable_on(ordinal), bytes);
  CUmemGenericAllocationHandle handle = 0;
  // The driver takes the descriptor's number in the place of an address.
  void* const number = reinterpret_cast<void*>(static_cast<std::uintptr_t>(descriptor.get()));
  check_served(driver_api::get().mem_import_from_shareable_handle(
                   &handle, number, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
               "a peer's memory can't be imported (cuMemImportFromShareableHandle)");
  return {handle, size};
}

vmm_allocation::~vmm_allocation() {
  if (handle_ != 0) driver_api::get().mem_release(handle_);
}

unique_fd vmm_allocation::export_descriptor() const {
  int descriptor = -1;
  check_served(driver_api::get().mem_export_to_shareable_handle(
                   &descriptor, handle_, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
               "memory can't be exported (cuMemExportToShareableHandle)");
  return unique_fd(descriptor);
}

}  // namespace ithaca
