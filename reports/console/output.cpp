#include "reports/console/output.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "reports/console/exit_codes.hpp"

namespace ithaca::console {

void complain(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

int end_output(const std::string& program, int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  complain(program + ": standard output can't be written (" +
           std::generic_category().message(errno) + "): give it a place with room");
  return exit_code == good ? bad_use : exit_code;
}

}  // namespace ithaca::console
