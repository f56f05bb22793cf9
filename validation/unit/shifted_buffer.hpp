#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ithaca::kernels {

/// A buffer whose first byte lies `past` bytes past a 16-byte boundary.
class shifted_buffer {
 public:
  shifted_buffer(std::size_t bytes, std::size_t past, std::byte value = std::byte{0x5a})
      : storage_(bytes + 32, value), size_(bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    data_ = storage_.data() + (16 - address % 16) % 16 + past;
  }
  shifted_buffer(shifted_buffer&&) = default;
  shifted_buffer& operator=(shifted_buffer&&) = default;
  std::byte* data() { return data_; }
  std::size_t size() const { return size_; }
  std::byte& operator[](std::size_t at) { return data_[at]; }

 private:
  std::vector<std::byte> storage_;
  std::size_t size_;
  std::byte* data_;
};

}  // namespace ithaca::kernels
