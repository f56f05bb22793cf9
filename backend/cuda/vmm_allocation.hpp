#pragma once

#include <cuda.h>

#include <cstddef>
#include <utility>

#include "backend/unique_fd.hpp"

namespace ithaca {

/// Physical memory of a GPU that other processes can be given. It lives until every process has
/// released and unmapped it.
class vmm_allocation {
 public:
  /// At least `bytes` of the GPU `ordinal`. Throws `invalid_use` if it has no room for them.
  static vmm_allocation create(int ordinal, std::size_t bytes);
  /// What a peer exported, made by it with the same `bytes`. `ordinal` is this process's GPU.
  /// Throws `invalid_use` where the driver can't take it.
  static vmm_allocation import(int ordinal, const unique_fd& descriptor, std::size_t bytes);

  vmm_allocation(vmm_allocation&& other) noexcept
      : handle_(std::exchange(other.handle_, 0)), size_bytes_(other.size_bytes_) {}
  vmm_allocation& operator=(vmm_allocation&&) = delete;
  ~vmm_allocation();

  /// Throws `invalid_use` where the driver gives none.
  unique_fd export_descriptor() const;

  CUmemGenericAllocationHandle native() const { return handle_; }
  /// The bytes asked for, in whole allocation units (2 MB on current GPUs).
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  vmm_allocation(CUmemGenericAllocationHandle handle, std::size_t size_bytes)
      : handle_(handle), size_bytes_(size_bytes) {}

  CUmemGenericAllocationHandle handle_;
  std::size_t size_bytes_;
};

}  // namespace ithaca
