#pragma once

#include <memory>
#include <vector>

#include "reports/commands/command.hpp"

namespace ithaca::reports {

/// Every command of ithaca-report, in the order in which people see them.
std::vector<std::unique_ptr<command>> all_commands();

}  // namespace ithaca::reports
