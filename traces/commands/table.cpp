#include "traces/commands/table.hpp"

#include <memory>

#include "traces/commands/diff.hpp"
#include "traces/commands/lint.hpp"
#include "traces/commands/merge.hpp"
#include "traces/commands/summary.hpp"

namespace ithaca::traces {

console::commands all_commands() {
  console::commands all;
  all.push_back(std::make_unique<lint_command>());
  all.push_back(std::make_unique<summary_command>());
  all.push_back(std::make_unique<merge_command>());
  all.push_back(std::make_unique<diff_command>());
  return all;
}

}  // namespace ithaca::traces
