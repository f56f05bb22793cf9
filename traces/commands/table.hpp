#pragma once

#include "reports/console/command_line.hpp"

namespace ithaca::traces {

/// Every command of ithaca-trace, in the order in which people see them.
console::commands all_commands();

}  // namespace ithaca::traces
