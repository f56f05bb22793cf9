#include "backend/nccl/nccl_window.hpp"

#include "backend/errors.hpp"
#include "backend/nccl/nccl_check.hpp"

namespace ithaca {

nccl_window::nccl_window(std::shared_ptr<const nccl_communicator> communicator, std::byte* data,
                         std::size_t bytes)
    : communicator_(std::move(communicator)) {
  const nccl_library& nccl = communicator_->library();
  if (!nccl.comm_window_register || !nccl.comm_window_deregister) {
    throw not_eligible("NCCL " + nccl.version() + " has no windows: they came with 2.27");
  }
  check(nccl,
        nccl.comm_window_register(communicator_->native(), data, bytes, &window_,
                                  NCCL_WIN_COLL_SYMMETRIC),
        "ncclCommWindowRegister");
  if (!window_) {
    throw not_eligible(
        "ncclCommWindowRegister succeeded and registered nothing: symmetric memory "
        "is not to be had here (NCCL_CUMEM_ENABLE=0, or no peer access?)");
  }
}

nccl_window::~nccl_window() {
  communicator_->library().comm_window_deregister(communicator_->native(), window_);
}

}  // namespace ithaca
