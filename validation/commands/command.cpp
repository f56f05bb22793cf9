#include "validation/commands/command.hpp"

#include <string>

#include "backend/errors.hpp"

namespace ithaca::validation {

int command::run(group&) {
  throw invalid_use(std::string(name()) + " is one process: start it without mpirun");
}

int command::run_alone() {
  const std::string line = name().empty() ? "" : " " + std::string(name());
  throw invalid_use("start it on several ranks, e.g. mpirun -np 2 ithaca-validate" + line);
}

}  // namespace ithaca::validation
