#pragma once

#include <memory>

#include "backend/device.hpp"
#include "backend/group.hpp"
#include "backend/nccl/nccl_library.hpp"
#include "backend/nccl/nccl_options.hpp"

namespace ithaca {

/// Owns one NCCL communicator over the ranks of a group. Operations on one communicator
/// serialise.
class nccl_communicator {
 public:
  /// Collective. Throws `not_eligible` on every rank alike if two ranks share a GPU, or the library
  /// is too old for `policy`.
  nccl_communicator(std::shared_ptr<const nccl_library> nccl, group& among, const device& on,
                    cta_policy policy);
  ~nccl_communicator();
  nccl_communicator(const nccl_communicator&) = delete;
  nccl_communicator& operator=(const nccl_communicator&) = delete;

  const nccl_library& library() const { return *nccl_; }
  std::shared_ptr<const nccl_library> shared_library() const { return nccl_; }
  ncclComm_t native() const { return communicator_; }

 private:
  std::shared_ptr<const nccl_library> nccl_;
  ncclComm_t communicator_ = nullptr;
};

}  // namespace ithaca
