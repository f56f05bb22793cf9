#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "reports/report.hpp"

namespace ithaca::reports {

/// One HTML file of some reports, with all that it needs: it opens from disk and asks no network
/// for anything. Charts are drawn by Chart.js where the build had it; where not, the page says so
/// and shows its tables.
std::string html_page(std::span<const report> reports);

/// Writes the page as `write_whole_file` does, with its errors.
void write_html_page(std::span<const report> reports, const std::filesystem::path& path);

}  // namespace ithaca::reports
