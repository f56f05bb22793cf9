#include "backend/cuda/vmm_mapping.hpp"

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/driver_api.hpp"

namespace ithaca {

vmm_mapping::vmm_mapping(const vmm_range& at, const vmm_allocation& of)
    : begin_(at.begin()), size_bytes_(of.size_bytes()) {
  check_served(driver_api::get().mem_map(begin_, size_bytes_, 0, of.native(), 0),
               "memory can't be mapped (cuMemMap)");
}

vmm_mapping::~vmm_mapping() { driver_api::get().mem_unmap(begin_, size_bytes_); }

void vmm_mapping::allow_access(int ordinal) const {
  CUmemAccessDesc access = {};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = ordinal;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  check_served(driver_api::get().mem_set_access(begin_, size_bytes_, &access, 1),
               "a GPU can't be given access to mapped memory (cuMemSetAccess)");
}

}  // namespace ithaca
