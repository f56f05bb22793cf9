#pragma once

#include <memory>

#include "backend/device.hpp"

namespace ithaca {

/// Host memory that someone else owns, pinned and mapped for all GPUs of this process.
class registered_memory final : public memory {
 public:
  /// On the GPU `ordinal`, which becomes current. The same pages can be registered only once at a
  /// time in a process.
  registered_memory(int ordinal, void* address, std::size_t bytes);

 private:
  struct unregister {
    void operator()(void* address) const noexcept;
  };
  std::unique_ptr<void, unregister> registered_;
};

}  // namespace ithaca
