#pragma once

#include <memory>
#include <string>

#include "backend/device.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "backend/nccl/nccl_options.hpp"
#include "backend/packed_exchanger.hpp"

namespace ithaca {

class nccl_communicator;

/// A communicator over `among`, to be shared by the exchangers of a group. Collective. Throws
/// `not_eligible` on every rank alike if `on` is no CUDA device, NCCL can't be loaded on some
/// rank, NCCL_CTA_POLICY is set (it would overrule `policy`), or two ranks share a GPU.
std::shared_ptr<nccl_communicator> open_nccl(group& among, const device& on, cta_policy policy);

/// Version of the loaded library, e.g. "2.28.9".
std::string nccl_version(const nccl_communicator& of);

/// The packed exchange over ncclAlltoAll.
std::unique_ptr<exchanger> make_nccl_exchanger(group& among, device& on,
                                               std::shared_ptr<nccl_communicator> communicator,
                                               nccl_buffers buffers, packing packed);

}  // namespace ithaca
