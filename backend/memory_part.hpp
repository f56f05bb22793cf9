#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "backend/device.hpp"

namespace ithaca {

/// A range of an allocation, which it keeps alive.
class memory_part final : public memory {
 public:
  /// Throws `std::out_of_range` unless the range lies in `whole`.
  memory_part(std::shared_ptr<memory> whole, std::size_t offset_bytes, std::size_t bytes)
      : memory(whole->data() + offset_bytes, bytes),
        whole_(std::move(whole)),
        offset_bytes_(offset_bytes) {
    if (offset_bytes > whole_->size_bytes() || bytes > whole_->size_bytes() - offset_bytes) {
      throw std::out_of_range("memory_part: beyond the end of its allocation");
    }
  }

  const memory& whole() const { return *whole_; }
  std::size_t offset_bytes() const { return offset_bytes_; }

 private:
  std::shared_ptr<memory> whole_;
  std::size_t offset_bytes_;
};

}  // namespace ithaca
