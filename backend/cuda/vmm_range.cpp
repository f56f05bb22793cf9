#include "backend/cuda/vmm_range.hpp"

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/driver_api.hpp"

namespace ithaca {

vmm_range::vmm_range(std::size_t bytes) : size_bytes_(bytes) {
  check_served(driver_api::get().mem_address_reserve(&begin_, bytes, 0, 0, 0),
               "there is no room for device addresses (cuMemAddressReserve)");
}

vmm_range::~vmm_range() { driver_api::get().mem_address_free(begin_, size_bytes_); }

}  // namespace ithaca
