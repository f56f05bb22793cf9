// ithaca-validate: proves the exchange on the machine that it is started on. One line a check.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>

#include "backend/errors.hpp"
#include "backend/mpi/launch.hpp"
#include "backend/mpi/mpi_group.hpp"
#include "backend/mpi/mpi_session.hpp"
#include "bench/arms/table.hpp"
#include "bench/device_choice.hpp"
#include "bench/exit_codes.hpp"
#include "bench/nearest_name.hpp"
#include "bench/rank_main.hpp"
#include "validation/contract/contract.hpp"

namespace {

using namespace ithaca;

struct validate_options {
  std::optional<device_kind> device;
  bool share_gpu = false;
  std::vector<std::string> arms = {"all"};
  double timeout_s = 30;
};

void describe(CLI::App& app, validate_options& options) {
  app.add_option_function<std::string>(
         "--device",
         [&](const std::string& name) {
           if (name == "cuda") options.device = device_kind::cuda;
           if (name == "host") options.device = device_kind::host;
         },
         "where to run: auto (GPUs where there are any), cuda or host")
      ->check(CLI::IsMember({"auto", "cuda", "host"}));
  app.add_flag("--share-gpu", options.share_gpu, "let ranks share a GPU (NCCL refuses that)");
  app.add_option("--arms", options.arms, "arms to check, or all")->delimiter(',');
  app.add_option("--timeout", options.timeout_s, "seconds until a stalled exchange is an error")
      ->check(CLI::PositiveNumber);
}

/// Runs one check; says ok, skip or FAIL. Returns whether it did not fail.
bool run_check(const validation::contract_check& check, const bench::arm& what, element_type type,
               bench::arm_site& site) {
  validation::contract_site place{site.ulysses, site.on, type, [&] { return what.make(site); }};
  std::string outcome = "ok  ", detail;
  try {
    detail = check.run(place);
    if (!detail.empty()) outcome = "FAIL";
  } catch (const not_eligible& reason) {
    outcome = "skip";
    detail = reason.what();
  }
  if (site.ulysses.rank() == 0) {
    fmt::print("{} {} {} {}{}{}\n", outcome, what.name, to_string(type), check.name,
               detail.empty() ? "" : ": ", detail);
    std::fflush(stdout);
  }
  return outcome != "FAIL";
}

int validate(const validate_options& options, group& world) {
  world.set_timeout(std::chrono::milliseconds(static_cast<std::int64_t>(1000 * options.timeout_s)));
  if (world.size() < 2) throw invalid_use("one rank has nobody to exchange with: start at least 2");
  const std::vector<std::string> names =
      bench::select_names("arm", options.arms, bench::arm_names());
  const bench::chosen_device chosen = bench::choose_device(
      options.device,
      options.share_gpu ? bench::gpu_sharing::allowed : bench::gpu_sharing::refused, world);
  if (world.rank() == 0) {
    fmt::print("ithaca-validate: {} ranks on the {} device ({})\n", world.size(),
               to_string(chosen.opened->kind()), chosen.opened->description());
  }
  bench::arm_site site{world, *chosen.opened};
  int failed = 0, run = 0;
  for (const std::string& name : names) {
    const bench::arm& what = *bench::find_arm(name);
    if (!what.runs_on(chosen.opened->kind())) continue;
    for (const element_type type : {element_type::bf16, element_type::fp16}) {
      for (const validation::contract_check& check : validation::contract_checks()) {
        ++run;
        if (!run_check(check, what, type, site)) ++failed;
      }
    }
  }
  if (world.rank() == 0) fmt::print("{} checks, {} failed\n", run, failed);
  return failed == 0 ? bench::good : bench::check_failed;
}

}  // namespace

int main(int argc, char** argv) {
  validate_options options;
  CLI::App app("Proves the exchange on this machine: mpirun -np RANKS ithaca-validate");
  describe(app, options);
  std::string refusal;
  int exit_code = bench::good;
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    refusal = app.help();
  } catch (const CLI::ParseError& error) {
    refusal = std::string("ithaca: ") + error.what() + "; --help lists what there is";
    exit_code = bench::bad_use;
  }
  if (!started_by_launcher() && refusal.empty()) {
    refusal = "ithaca: start it on several ranks, e.g. mpirun -np 2 ithaca-validate";
    exit_code = bench::bad_use;
  }
  const auto refuse = [&] {
    fmt::print(exit_code == bench::good ? stdout : stderr, "{}\n", refusal);
    return exit_code;
  };
  if (!started_by_launcher()) return refuse();
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const mpi_session session(argc, argv);
    mpi_group world(mpi_communicator::duplicate(MPI_COMM_WORLD));
    return bench::run_rank(world, arguments, [&](group& ranks) {
      if (!refusal.empty()) return ranks.rank() == 0 ? refuse() : exit_code;
      return validate(options, ranks);
    });
  } catch (const std::exception& failure) {
    refusal = std::string("ithaca: MPI could not be started: ") + failure.what();
    exit_code = bench::bad_use;
    return refuse();
  }
}
