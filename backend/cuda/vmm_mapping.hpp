#pragma once

#include "backend/cuda/vmm_allocation.hpp"
#include "backend/cuda/vmm_range.hpp"

namespace ithaca {

/// An allocation mapped at the addresses of a range, which must outlive it. Keeps the memory alive.
class vmm_mapping {
 public:
  /// This and `allow_access` throw `invalid_use` where the driver can't.
  vmm_mapping(const vmm_range& at, const vmm_allocation& of);
  vmm_mapping(const vmm_mapping&) = delete;
  vmm_mapping& operator=(const vmm_mapping&) = delete;
  /// Nothing on the device may use the addresses any more.
  ~vmm_mapping();

  /// Lets the GPU `ordinal` read and write here. This is all that peer access takes:
  /// cudaDeviceEnablePeerAccess is for memory of the runtime.
  void allow_access(int ordinal) const;

 private:
  CUdeviceptr begin_;
  std::size_t size_bytes_;
};

}  // namespace ithaca
