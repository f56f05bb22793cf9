#include "reports/report_file.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "reports/json_file.hpp"
#include "reports/whole_file.hpp"

namespace ithaca::reports {
void write_report(const report& from, const std::filesystem::path& path) {
  // Kernel names and the environment may hold any bytes; JSON is UTF-8.
  constexpr auto on_foreign_bytes = json::error_handler_t::replace;
  write_whole_file(path, to_json(from).dump(1, ' ', false, on_foreign_bytes) + "\n");
}

report read_report(const std::filesystem::path& path) {
  const json parsed = read_json(path);
  try {
    return report_from_json(parsed);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{} is no report: {}", path.string(), error.what()));
  }
}

}  // namespace ithaca::reports
