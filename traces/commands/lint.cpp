#include "traces/commands/lint.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "reports/console/exit_codes.hpp"
#include "reports/console/input_file.hpp"
#include "traces/chrome_lint.hpp"

namespace ithaca::traces {

void lint_command::declare(CLI::App& app) {
  app.add_option("TRACE", files_, "Traces to look at (.json, or packed as .json.gz)")->required();
  app.add_flag("--quiet", quiet_, "Say nothing of traces that are sound");
  app.add_flag("--json", json_, "Print the messages as JSON, by file");
  app.footer(
      "Examples:\n"
      "  ithaca-trace lint out/latest/trace.json\n"
      "  ithaca-trace lint --json out/*/trace.json | jq 'map_values(length)'\n\n"
      "Exit codes: 0 sound, 1 something would be lost, 2 bad use, or no JSON trace.");
}

int lint_command::run() {
  nlohmann::json found = nlohmann::json::object();
  int exit_code = console::good;
  for (const std::string& file : files_) {
    const lint_result result = lint(console::read_input(file));
    if (!result.messages.empty() && exit_code == console::good) exit_code = console::check_failed;
    if (result.broken) exit_code = console::bad_use;
    if (json_) {
      found[file] = result.messages;
      continue;
    }
    for (const std::string& each : result.messages) fmt::print("{}: {}\n", file, each);
    if (result.messages.empty() && !quiet_) fmt::print("{}: sound\n", file);
  }
  if (json_) fmt::print("{}\n", found.dump(2, ' ', true, nlohmann::json::error_handler_t::replace));
  return exit_code;
}

}  // namespace ithaca::traces
