// ithaca-bench: measures the exchange. Start it with mpirun; see the README.

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "backend/mpi/launch.hpp"
#include "backend/mpi/mpi_group.hpp"
#include "backend/mpi/mpi_session.hpp"
#include "bench/device_choice.hpp"
#include "bench/exchange_command.hpp"
#include "bench/options.hpp"
#include "bench/rank_main.hpp"
#include "bench/simulated_exchange.hpp"
#include "reports/console/exit_codes.hpp"
#include "reports/console/output.hpp"

extern char** environ;

namespace {

using namespace ithaca;
using bench::early_exit;
using bench::exchange_options;

int leave(const early_exit& exit) {
  if (exit.exit_code == console::good)
    std::puts(exit.text.c_str());
  else
    console::complain(exit.text);
  return exit.exit_code;
}

/// What needs no ranks of its own: help, lists, bad use, simulated ranks.
int without_ranks(const std::variant<exchange_options, early_exit>& parsed,
                  const std::vector<std::string>& arguments) {
  if (const auto* exit = std::get_if<early_exit>(&parsed)) return leave(*exit);
  const auto& options = std::get<exchange_options>(parsed);
  if (options.device == device_kind::sim && !options.list) {
    try {
      return bench::simulated_exchange(options, arguments);
    } catch (const std::bad_alloc&) {
      return leave({"ithaca-bench: the memory is not enough for so many ranks: simulate fewer",
                    console::bad_use});
    }
  }
  if (!options.list) {
    return leave(
        {"ithaca-bench: start it on several ranks, e.g. mpirun -np 2 ithaca-bench scatter, "
         "or simulate them: --device sim --ranks 2",
         console::bad_use});
  }
  try {
    std::fputs(bench::list_choices(options).c_str(), stdout);
  } catch (const invalid_use& refused) {
    return leave({std::string("ithaca-bench: ") + refused.what(), console::bad_use});
  }
  return console::good;
}

/// The ranks' arguments are the same, but their environments need not be: the first rank that has
/// nothing to run decides for all.
std::optional<early_exit> agree_on_exit(const std::variant<exchange_options, early_exit>& parsed,
                                        group& world) {
  const auto* mine = std::get_if<early_exit>(&parsed);
  const std::string told = mine ? fmt::format("{} {}", mine->exit_code, mine->text) : "";
  for (const std::string& each : world.all_gather_text(told)) {
    if (each.empty()) continue;
    const std::size_t space = each.find(' ');
    return early_exit{each.substr(space + 1), std::stoi(each.substr(0, space))};
  }
  return std::nullopt;
}

int on_rank(const std::variant<exchange_options, early_exit>& parsed,
            const std::vector<std::string>& arguments, group& world,
            const bench::group_splitter& split) {
  if (const auto exit = agree_on_exit(parsed, world)) {
    return world.rank() == 0 ? leave(*exit) : exit->exit_code;
  }
  const auto& options = std::get<exchange_options>(parsed);
  if (options.device == device_kind::sim) {
    throw invalid_use("--device sim simulates all ranks in one process: start it without mpirun");
  }
  if (options.list) {
    std::string choices, refusal;
    try {
      choices = bench::list_choices(options);
    } catch (const invalid_use& refused) {
      refusal = refused.what();
    }
    require_valid(world, refusal);
    if (world.rank() == 0) std::fputs(choices.c_str(), stdout);
    return console::good;
  }
  return bench::exchange_command(options, arguments, world,
                                 {split,
                                  [&](group& ranks) {
                                    return bench::choose_device(options.device,
                                                                bench::gpu_sharing::refused, ranks);
                                  },
                                  mpi_session::library_version()});
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = bench::parse(argc, argv, environ);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!started_by_launcher()) {
    return console::end_output("ithaca-bench", without_ranks(parsed, arguments));
  }
  try {
    // Before MPI makes threads: they must not take the signals.
    const auto words = std::make_shared<bench::rank_watch>("ithaca-bench");
    words->begin(launched_rank(), nullptr);
    const mpi_session session(argc, argv);
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its write
    mpi_group world(mpi_communicator::world());
    const bench::group_splitter split = [&](int color, int key) { return world.split(color, key); };
    const int exit_code = bench::run_rank(words, world, arguments, [&](group& ranks) {
      return on_rank(parsed, arguments, ranks, split);
    });
    return console::end_output("ithaca-bench", exit_code);
  } catch (const std::exception& failure) {
    return leave({std::string("ithaca-bench: MPI could not be started: ") + failure.what(),
                  console::bad_use});
  }
}
