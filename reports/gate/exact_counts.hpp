#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "reports/operation_counts.hpp"

namespace ithaca::reports::gate {

/// What an exchange does, number by number: "kernels.pack_kernel", "peer_copies", ... The numbers
/// do not depend on the machine.
using exact_counts = std::map<std::string, std::uint64_t>;

exact_counts counts_of(const operation_counts& from);

}  // namespace ithaca::reports::gate
