#include "reports/commands/html.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "reports/console/exit_codes.hpp"
#include "reports/page/html_page.hpp"
#include "reports/report_file.hpp"

namespace ithaca::reports {

void html_command::declare(CLI::App& app) {
  app.add_option("OUT", out_, "File to write (.html)")->required();
  app.add_option("REPORT", reports_, "Reports (.json, or compressed .json.gz)")->required();
  app.footer(
      "Examples: ithaca-report html report.html out/latest/report.json\n"
      "          ithaca-report html both.html out/1/report.json out/2/report.json");
}

int html_command::run() {
  if (!std::filesystem::path(out_).extension().string().starts_with(".htm")) {
    throw std::invalid_argument(
        fmt::format("'{}' does not end in .html: name the page first, then the reports", out_));
  }
  std::vector<report> reports;
  for (const std::string& path : reports_) reports.push_back(read_report(path));
  write_html_page(reports, out_);
  std::fputs(fmt::format("{}: {} report{}, {} bytes\n", out_, reports.size(),
                         reports.size() == 1 ? "" : "s", std::filesystem::file_size(out_))
                 .c_str(),
             stdout);
  return console::good;
}

}  // namespace ithaca::reports
