#pragma once

#include <filesystem>

#include "reports/report.hpp"

namespace ithaca::reports {

/// Writes the whole report as `write_whole_file` does, with its errors; also throws
/// `std::invalid_argument` for a report that could not be read back.
void write_report(const report& from, const std::filesystem::path& path);

/// Throws `std::invalid_argument` with a sentence that names the file and the place in it for a
/// file that is missing, truncated, no JSON, no report, or of another schema version.
report read_report(const std::filesystem::path& path);

}  // namespace ithaca::reports
