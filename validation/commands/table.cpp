#include "validation/commands/table.hpp"

#include "validation/commands/endurance.hpp"
#include "validation/commands/fault.hpp"
#include "validation/commands/kernels.hpp"
#include "validation/commands/probe.hpp"
#include "validation/commands/prove.hpp"
#include "validation/commands/simulate.hpp"

namespace ithaca::validation {

std::vector<std::unique_ptr<command>> all_commands() {
  std::vector<std::unique_ptr<command>> all;
  all.push_back(std::make_unique<prove_command>());
  all.push_back(std::make_unique<probe_command>());
  all.push_back(std::make_unique<kernels_command>());
  all.push_back(std::make_unique<simulate_command>());
  all.push_back(std::make_unique<endurance_command>());
  all.push_back(std::make_unique<fault_command>());
  return all;
}

}  // namespace ithaca::validation
