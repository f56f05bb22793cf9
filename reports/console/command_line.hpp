#pragma once

#include <memory>
#include <string>
#include <vector>

#include "reports/console/command.hpp"

namespace ithaca::console {

/// A program of several commands, as its help shows it.
struct program {
  std::string name;
  std::string summary;  ///< in one sentence
  std::string footer;   ///< examples and exit codes
};

/// Every command of a program, in the order in which people see them.
using commands = std::vector<std::unique_ptr<command>>;

/// Does what the line says and returns the exit code of the program: the command's, or bad use with
/// a sentence on standard error. That names the nearest one for a command or option that there is
/// not.
int run_commands(const program& of, const commands& all, int argc, char** argv);

}  // namespace ithaca::console
