#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "backend/device.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "backend/nccl/nccl_options.hpp"
#include "backend/packed_exchanger.hpp"

namespace ithaca {

class nccl_communicator;

/// The library that a person means by `named`: the file, or libnccl.so.2 in the folder. Throws
/// `invalid_use` if there is none.
std::string nccl_file(const std::filesystem::path& named);

/// Version of the library in `file`, e.g. "2.28.9". Throws `not_eligible` if no exchanger here
/// could work with it.
std::string usable_nccl_version(const std::string& file);

/// A communicator over `among`, to be shared by the exchangers of a group. Collective. Throws
/// `not_eligible` on every rank alike if `on` is no CUDA device, NCCL can't be loaded on some
/// rank or is too old for `policy`, the environment would make NCCL do something else (see
/// nccl_environment), or two ranks share a GPU. `file`: the library; empty: found by name.
std::shared_ptr<nccl_communicator> open_nccl(group& among, const device& on, cta_policy policy,
                                             const std::string& file);

/// Version of the loaded library, e.g. "2.28.9".
std::string nccl_version(const nccl_communicator& of);

/// The packed exchange over ncclAlltoAll.
std::unique_ptr<exchanger> make_nccl_exchanger(group& among, device& on,
                                               std::shared_ptr<nccl_communicator> communicator,
                                               nccl_buffers buffers, packing packed);

}  // namespace ithaca
