#include "traces/commands/trace_file.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "reports/console/input_file.hpp"

namespace ithaca::traces {

opened_trace open_trace_file(const std::string& file) {
  const std::string text = console::read_input(file);
  try {
    return open_trace(text);
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(
        fmt::format("{}: {} ('ithaca-trace lint' lists all that is wrong)", file, refused.what()));
  }
}

}  // namespace ithaca::traces
