#pragma once

#include <cuda.h>

#include <cstddef>

namespace ithaca {

/// A reserved range of device addresses, with nothing behind them.
class vmm_range {
 public:
  /// `bytes` in whole allocation units. Throws `invalid_use` where none is free.
  explicit vmm_range(std::size_t bytes);
  vmm_range(const vmm_range&) = delete;
  vmm_range& operator=(const vmm_range&) = delete;
  ~vmm_range();

  CUdeviceptr begin() const { return begin_; }
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  CUdeviceptr begin_ = 0;
  std::size_t size_bytes_;
};

}  // namespace ithaca
