#include "reports/report_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

#include "reports/whole_file.hpp"

namespace ithaca::reports {
namespace {

std::string read_text(const std::filesystem::path& path) {
  const auto fail = [&](int error) {
    throw std::invalid_argument(
        fmt::format("{} can't be read: {}", path.string(), std::generic_category().message(error)));
  };
  if (std::filesystem::is_directory(path)) fail(EISDIR);
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(errno);
  return {std::istreambuf_iterator<char>(file), {}};
}

json parse(const std::string& text, const std::filesystem::path& path) {
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

}  // namespace

void write_report(const report& from, const std::filesystem::path& path) {
  // Kernel names and the environment may hold any bytes; JSON is UTF-8.
  constexpr auto on_foreign_bytes = json::error_handler_t::replace;
  write_whole_file(path, to_json(from).dump(1, ' ', false, on_foreign_bytes) + "\n");
}

report read_report(const std::filesystem::path& path) {
  const json parsed = parse(read_text(path), path);
  try {
    return report_from_json(parsed);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{} is no report: {}", path.string(), error.what()));
  }
}

}  // namespace ithaca::reports
