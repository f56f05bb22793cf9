// ithaca-report: makes of reports what people and other programs read.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reports/commands/table.hpp"
#include "reports/commands/unknown_option.hpp"
#include "reports/console/exit_codes.hpp"
#include "reports/console/nearest_name.hpp"
#include "reports/console/output.hpp"

namespace {

using namespace ithaca;
using commands = std::vector<std::unique_ptr<reports::command>>;

std::string unknown_command(const std::string& wanted, const commands& all) {
  std::vector<std::string> known;
  for (const auto& each : all) known.emplace_back(each->name());
  return fmt::format("'{}' is no command{}", wanted, console::did_you_mean(wanted, known));
}

int run(int argc, char** argv) {
  const commands all = reports::all_commands();
  CLI::App app("Makes of reports what people and other programs read.", "ithaca-report");
  app.footer(
      "Example: ithaca-report html report.html out/latest/report.json\n\n"
      "ithaca-report COMMAND --help shows each command's options and examples.\n"
      "Exit codes: 0 good, 2 bad use or invalid input.");
  app.require_subcommand(1);
  reports::command* chosen = nullptr;
  for (const auto& each : all) {
    CLI::App* part = app.add_subcommand(std::string(each->name()), std::string(each->summary()));
    each->declare(*part);
    part->callback([&chosen, command = each.get()] { chosen = command; });
  }
  const auto is_named = [&](const auto& each) { return each->name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && std::ranges::none_of(all, is_named)) {
    console::complain("ithaca-report: " + unknown_command(argv[1], all));
    return console::bad_use;
  }
  try {
    if (argc > 1 && argv[1][0] != '-') {
      reports::refuse_unknown_option(*app.get_subcommand(argv[1]),
                                     std::span(argv + 2, argv + argc));
    }
    app.parse(argc, argv);
    return chosen->run();
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return console::good;
  } catch (const std::exception& refused) {
    console::complain(std::string("ithaca-report: ") + refused.what());
    return console::bad_use;
  }
}

}  // namespace

int main(int argc, char** argv) { return console::end_output("ithaca-report", run(argc, argv)); }
