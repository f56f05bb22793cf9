// ithaca-trace: looks into the traces that runs leave behind.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/console/exit_codes.hpp"
#include "reports/console/nearest_name.hpp"
#include "reports/console/output.hpp"
#include "traces/commands/table.hpp"

namespace {

using namespace ithaca;
using commands = std::vector<std::unique_ptr<traces::command>>;

std::string unknown_command(const std::string& wanted, const commands& all) {
  std::vector<std::string> known;
  for (const auto& each : all) known.emplace_back(each->name());
  return fmt::format("'{}' is no command{}", wanted, console::did_you_mean(wanted, known));
}

/// Why a word is refused that no option took.
std::string unexpected(const CLI::App& part) {
  const std::string word = part.remaining().front();
  std::vector<std::string> known;
  for (const CLI::Option* option : part.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  const std::string nearest = console::nearest_name(word.substr(0, word.find('=')), known);
  return fmt::format("{}: '{}' was not expected{}", part.get_name(), word,
                     nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest));
}

int run(int argc, char** argv) {
  const commands all = traces::all_commands();
  CLI::App app("Looks into the traces that runs leave behind.", "ithaca-trace");
  app.footer(
      "ithaca-trace COMMAND --help shows each command's options and examples.\n"
      "Exit codes: 0 good, 1 something is wrong or different, 2 bad use or invalid input.");
  app.require_subcommand(1);
  traces::command* chosen = nullptr;
  for (const auto& each : all) {
    CLI::App* part = app.add_subcommand(std::string(each->name()), std::string(each->summary()));
    part->allow_extras();
    each->declare(*part);
    part->callback([&chosen, part, command = each.get()] {
      if (part->remaining_size() > 0) throw std::invalid_argument(unexpected(*part));
      chosen = command;
    });
  }
  const auto is_named = [&](const auto& each) { return each->name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && std::ranges::none_of(all, is_named)) {
    console::complain("ithaca-trace: " + unknown_command(argv[1], all));
    return console::bad_use;
  }
  if (argc == 1) {
    console::complain("ithaca-trace: say what to do: lint, summary, merge or diff");
    return console::bad_use;
  }
  try {
    app.parse(argc, argv);
    return chosen->run();
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return console::good;
  } catch (const std::bad_alloc&) {
    console::complain("ithaca-trace: the memory is not enough for a trace of this size");
    return console::bad_use;
  } catch (const std::exception& refused) {
    console::complain(std::string("ithaca-trace: ") + refused.what());
    return console::bad_use;
  }
}

}  // namespace

int main(int argc, char** argv) { return console::end_output("ithaca-trace", run(argc, argv)); }
