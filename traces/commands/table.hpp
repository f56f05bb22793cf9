#pragma once

#include <memory>
#include <vector>

#include "traces/commands/command.hpp"

namespace ithaca::traces {

/// Every command, in the order in which people see them.
std::vector<std::unique_ptr<command>> all_commands();

}  // namespace ithaca::traces
