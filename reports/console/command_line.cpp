#include "reports/console/command_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <stdexcept>

#include "reports/console/exit_codes.hpp"
#include "reports/console/output.hpp"
#include "reports/console/unknown_word.hpp"

namespace ithaca::console {
namespace {

/// Before the parser, which would rather miss what is required than name what is foreign.
void refuse_unknown(const CLI::App& app, const commands& all, std::span<char* const> words) {
  std::vector<std::string> known;
  for (const auto& each : all) known.emplace_back(each->name());
  if (words.empty()) {
    const std::span<const std::string> names(known);
    throw std::invalid_argument(fmt::format(
        "say what to do: {} or {}", fmt::join(names.first(names.size() - 1), ", "), names.back()));
  }
  const std::string wanted = words.front();
  if (wanted.starts_with("-")) return;
  refuse_unknown_command(wanted, known);
  refuse_unknown_option(*app.get_subcommand(wanted), words.subspan(1));
}

}  // namespace

int run_commands(const program& of, const commands& all, int argc, char** argv) {
  CLI::App app(of.summary, of.name);
  app.footer(of.footer);
  app.require_subcommand(1);
  command* chosen = nullptr;
  for (const auto& each : all) {
    CLI::App* part = app.add_subcommand(std::string(each->name()), std::string(each->summary()));
    each->declare(*part);
    part->callback([&chosen, meant = each.get()] { chosen = meant; });
  }
  const auto refused = [&](const std::string& why) {
    complain(of.name + ": " + why);
    return bad_use;
  };
  try {
    refuse_unknown(app, all, std::span(argv + 1, argv + argc));
    app.parse(argc, argv);
    return chosen->run();
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return good;
  } catch (const std::bad_alloc&) {
    return refused("the memory is not enough for files of this size");
  } catch (const std::exception& why) {
    return refused(why.what());
  }
}

}  // namespace ithaca::console
