#include "reports/commands/table.hpp"

#include <memory>

#include "reports/commands/html.hpp"
#include "reports/commands/markdown.hpp"
#include "reports/commands/merge.hpp"

namespace ithaca::reports {

console::commands all_commands() {
  console::commands all;
  all.push_back(std::make_unique<html_command>());
  all.push_back(std::make_unique<markdown_command>());
  all.push_back(std::make_unique<merge_command>());
  return all;
}

}  // namespace ithaca::reports
