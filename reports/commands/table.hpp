#pragma once

#include "reports/console/command_line.hpp"

namespace ithaca::reports {

/// Every command of ithaca-report, in the order in which people see them.
console::commands all_commands();

}  // namespace ithaca::reports
