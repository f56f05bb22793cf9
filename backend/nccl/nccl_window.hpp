#pragma once

#include <cstddef>
#include <memory>

#include "backend/nccl/nccl_communicator.hpp"

namespace ithaca {

/// A symmetric window over memory of ncclMemAlloc. Made collectively.
class nccl_window {
 public:
  /// Throws `not_eligible` if this NCCL has no windows, or says that it registered one and did not.
  nccl_window(std::shared_ptr<const nccl_communicator> communicator, std::byte* data,
              std::size_t bytes);
  ~nccl_window();
  nccl_window(const nccl_window&) = delete;
  nccl_window& operator=(const nccl_window&) = delete;

 private:
  std::shared_ptr<const nccl_communicator> communicator_;
  ncclWindow_t window_ = nullptr;
};

}  // namespace ithaca
