#include "reports/json_file.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "reports/console/input_file.hpp"

namespace ithaca::reports {

json read_json(const std::filesystem::path& path) {
  // A report of a thousand cells has some megabytes; what is parsed takes many times its text.
  constexpr std::size_t most_bytes = std::size_t{64} << 20;
  const std::string text = console::read_input(path, most_bytes);
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const bool ends_early = error.byte > text.size();
    throw std::invalid_argument(
        fmt::format("{} is {}: {}", path.string(),
                    text.empty() ? "empty" : (ends_early ? "truncated" : "no JSON"), error.what()));
  } catch (const json::out_of_range& error) {
    throw std::invalid_argument(
        fmt::format("{} holds a number that no double can hold: {}", path.string(), error.what()));
  }
}

}  // namespace ithaca::reports
