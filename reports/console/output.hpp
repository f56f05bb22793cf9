#pragma once

#include <string>

namespace ithaca::console {

/// Prints a line on standard error. Where that is closed or full there is nobody to tell.
void complain(const std::string& line);

/// What a program ends with that would end with `exit_code`: bad use where what it printed could
/// not be written, which it says.
int end_output(const std::string& program, int exit_code);

}  // namespace ithaca::console
