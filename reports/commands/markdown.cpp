#include "reports/commands/markdown.hpp"

#include <cstdio>

#include "reports/console/exit_codes.hpp"
#include "reports/markdown_summary.hpp"
#include "reports/report_file.hpp"

namespace ithaca::reports {

void markdown_command::declare(CLI::App& app) {
  app.add_option("REPORT", reports_, "Reports (.json, or compressed .json.gz)")->required();
  app.footer("Example: ithaca-report markdown out/latest/report.json >> \"$GITHUB_STEP_SUMMARY\"");
}

int markdown_command::run() {
  std::vector<report> reports;
  for (const std::string& path : reports_) reports.push_back(read_report(path));
  // Whether it could be written is asked at the end.
  for (const report& each : reports) std::fputs(markdown_summary(each).c_str(), stdout);
  return console::good;
}

}  // namespace ithaca::reports
