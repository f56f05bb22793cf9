#pragma once

#include <memory>
#include <vector>

#include "validation/commands/command.hpp"

namespace ithaca::validation {

/// Every command, in the order in which people see them; the first has no name.
std::vector<std::unique_ptr<command>> all_commands();

}  // namespace ithaca::validation
