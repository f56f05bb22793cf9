#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "backend/device.hpp"

namespace ithaca::validation {

/// Which addresses are in a device's own allocations: the others are its peers'.
class own_memory : public std::enable_shared_from_this<own_memory> {
 public:
  /// The allocation, known here as long as it lives.
  std::unique_ptr<memory> keep(std::unique_ptr<memory> allocated);
  /// What `keep` was given for `kept`, or `kept` itself.
  static const memory& given(const memory& kept);

  bool holds(const void* address) const;

 private:
  class kept_memory;

  mutable std::mutex mutex_;
  std::map<const std::byte*, std::size_t> sizes_;  // by first byte
};

}  // namespace ithaca::validation
