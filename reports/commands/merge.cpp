#include "reports/commands/merge.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "reports/console/exit_codes.hpp"
#include "reports/console/input_file.hpp"
#include "reports/merged_report.hpp"
#include "reports/report_file.hpp"

namespace ithaca::reports {

void merge_command::declare(CLI::App& app) {
  app.add_option("OUT", out_, "File to write")->required();
  app.add_option("REPORT", reports_, "Reports of the launches (.json, or compressed .json.gz)")
      ->required();
  app.footer("Example: ithaca-report merge out/merged.json out/1/report.json out/2/report.json");
}

int merge_command::run() {
  console::refuse_overwriting(out_, reports_);
  std::vector<named_report> launches;
  for (const std::string& path : reports_) launches.push_back({path, read_report(path)});
  const report merged = merged_report(launches);
  write_report(merged, out_);
  fmt::print("{}: {} launches, {} cells\n", out_, launches.size(), merged.cells.size());
  return console::good;
}

}  // namespace ithaca::reports
