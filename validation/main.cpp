// ithaca-validate: proves the exchange on the machine that it is started on.

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backend/mpi/launch.hpp"
#include "backend/mpi/mpi_group.hpp"
#include "backend/mpi/mpi_session.hpp"
#include "bench/rank_main.hpp"
#include "reports/console/exit_codes.hpp"
#include "reports/console/output.hpp"
#include "reports/console/unknown_word.hpp"
#include "validation/commands/table.hpp"

namespace {

using namespace ithaca;
using validation::command;

/// What there is to say instead of running.
struct early_exit {
  std::string text = {};
  int exit_code = console::good;
};

int leave(const early_exit& exit) {
  if (exit.exit_code == console::good)
    std::puts(exit.text.c_str());
  else
    console::complain(exit.text);
  return exit.exit_code;
}

early_exit refusal(const std::exception& why) {
  return {std::string("ithaca-validate: ") + why.what(), console::bad_use};
}

/// Before the parser, which would not name the nearest one.
void refuse_unknown(const CLI::App& app, const std::vector<std::unique_ptr<command>>& all,
                    std::span<char* const> words) {
  if (words.empty()) return;
  if (std::string_view(words.front()).starts_with("-")) {
    console::refuse_unknown_option(app, words);
    return;
  }
  std::vector<std::string> known;
  for (const auto& each : all) {
    if (!each->name().empty()) known.emplace_back(each->name());
  }
  console::refuse_unknown_command(words.front(), known);
  console::refuse_unknown_option(*app.get_subcommand(words.front()), words.subspan(1));
}

/// The command that is meant, its options judged. Throws what `refuse_unknown`, CLI11 and `judge`
/// throw.
command& parse(CLI::App& app, const std::vector<std::unique_ptr<command>>& all, int argc,
               char** argv) {
  std::vector<CLI::App*> parts;
  for (const auto& each : all) {
    parts.push_back(each->name().empty() ? &app
                                         : app.add_subcommand(std::string(each->name()),
                                                              std::string(each->summary())));
    each->declare(*parts.back());
  }
  app.require_subcommand(0, 1);
  refuse_unknown(app, all, std::span(argv + 1, argv + argc));
  app.parse(argc, argv);
  std::size_t meant = 0;
  for (std::size_t at = 1; at < all.size(); ++at) {
    if (parts[at]->parsed()) meant = at;
  }
  all[meant]->judge();
  return *all[meant];
}

std::string help(const CLI::App& app) {
  std::string text = app.help();
  text.erase(text.find_last_not_of('\n') + 1);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const auto all = validation::all_commands();
  CLI::App app(std::string(all.front()->summary()));
  app.footer(
      "Example: mpirun -np 2 ithaca-validate --arms copy-engine,nccl\n\n"
      "Exit codes: 0 good, 1 a check failed, 2 bad use, 3 the exchange broke.");
  early_exit instead;
  command* chosen = nullptr;
  try {
    chosen = &parse(app, all, argc, argv);
    if (!started_by_launcher()) {
      return console::end_output("ithaca-validate", chosen->run_alone());
    }
  } catch (const CLI::CallForHelp&) {
    instead.text = help(app);
  } catch (const std::exception& refused) {
    instead = refusal(refused);
    chosen = nullptr;
  }
  if (!started_by_launcher()) return console::end_output("ithaca-validate", leave(instead));
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    // Before MPI makes threads: they must not take the signals.
    const auto words = std::make_shared<bench::rank_watch>("ithaca-validate");
    words->begin(launched_rank(), nullptr);
    const mpi_session session(argc, argv);
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its write
    mpi_group world(mpi_communicator::world());
    const bench::group_splitter split = [&](int color, int key) { return world.split(color, key); };
    const int exit_code = bench::run_rank(words, world, arguments, [&](group& ranks) {
      if (chosen) return chosen->run_split(ranks, split);
      return ranks.rank() == 0 ? leave(instead) : instead.exit_code;
    });
    return console::end_output("ithaca-validate", exit_code);
  } catch (const std::exception& failure) {
    return leave({std::string("ithaca-validate: MPI could not be started: ") + failure.what(),
                  console::bad_use});
  }
}
