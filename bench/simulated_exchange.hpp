#pragma once

#include <string>
#include <vector>

#include "bench/options.hpp"

namespace ithaca::bench {

/// `ithaca-bench scatter` or `gather` on simulated ranks, all of them in this thread, over the
/// fabric that `options` name, in virtual time. Prints as rank 0. Returns the exit code: that of
/// `exchange_command`, or 1 if order was found missing that no cell answers for.
int simulated_exchange(const exchange_options& options, const std::vector<std::string>& arguments);

}  // namespace ithaca::bench
