#pragma once

#include <string>

namespace ithaca {

/// Names the host that this process runs on: equal for processes that can hand each other memory.
///
/// That takes one kernel, told by its boot id, and one network namespace, since that is where local
/// sockets live: two containers of one machine may be two hosts. The host's name stands in it too.
/// Machines restored from one snapshot share a boot id but mostly not a name; and by its name MPI
/// and NCCL know a host.
std::string host_identity();

}  // namespace ithaca
