#pragma once

#include <filesystem>

#include "reports/process_limits.hpp"

namespace ithaca::bench {

/// What container and system let this process have.
reports::process_limits read_process_limits();

/// The part that control groups say (version 1 and 2), in the files below `root`: the tightest
/// limit from the process's own group up to the root of what it sees.
reports::process_limits read_group_limits(const std::filesystem::path& root);

}  // namespace ithaca::bench
