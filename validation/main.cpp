// ithaca-validate: proves the exchange on the machine that it is started on.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>

#include "backend/errors.hpp"
#include "backend/mpi/launch.hpp"
#include "backend/mpi/mpi_group.hpp"
#include "backend/mpi/mpi_session.hpp"
#include "bench/arms/table.hpp"
#include "bench/device_choice.hpp"
#include "bench/exit_codes.hpp"
#include "bench/nccl_choice.hpp"
#include "bench/nearest_name.hpp"
#include "bench/option_values.hpp"
#include "bench/rank_main.hpp"
#include "validation/check_lines.hpp"
#include "validation/contract/contract.hpp"

namespace {

using namespace ithaca;

struct validate_options {
  std::optional<device_kind> device = std::nullopt;
  bool share_gpu = false;
  std::vector<std::string> arms = {};  ///< by name
  bool all_arms = false;               ///< then those of other devices are left out
  std::vector<element_type> types = {};
  std::optional<std::filesystem::path> nccl = std::nullopt;
  std::chrono::milliseconds timeout{30'000};
};

/// The options as typed; `judge` makes of them what they stand for, or refuses them in words.
struct typed_options {
  std::string device = "auto", arms = "all", dtypes = "bf16,fp16,fp32,fp8", timeout = "30";
  std::optional<std::string> nccl;
  bool share_gpu = false;
};

void declare(CLI::App& app, typed_options& typed) {
  app.add_option("--device", typed.device, "auto (GPUs where every rank has one), cuda or host");
  app.add_flag("--share-gpu", typed.share_gpu, "Let ranks share a GPU (NCCL refuses that)");
  app.add_option("--arms", typed.arms, "Arms to check, by commas, or all");
  app.add_option("--dtypes", typed.dtypes, "Element types to check, by commas (default: all)");
  app.add_option("--nccl", typed.nccl,
                 "NCCL to load, or the folder that holds libnccl.so.2 (default: found by name)");
  app.add_option("--timeout", typed.timeout, "Seconds until a stalled exchange is an error");
  app.footer(
      "Example: mpirun -np 2 ithaca-validate --arms copy-engine,nccl\n\n"
      "Exit codes: 0 good, 1 a check failed, 2 bad use, 3 the exchange broke.");
}

validate_options judge(const typed_options& typed) {
  validate_options options;
  const std::string device = bench::one_of("--device", typed.device, {"auto", "cuda", "host"});
  if (device == "cuda") options.device = device_kind::cuda;
  if (device == "host") options.device = device_kind::host;
  options.share_gpu = typed.share_gpu;
  const std::vector<std::string> named = bench::split_names("--arms", {typed.arms});
  options.all_arms = std::ranges::find(named, "all") != named.end();
  options.arms = bench::select_names("arm", named, bench::arm_names());
  options.types = bench::parse_dtypes(bench::split_names("--dtypes", {typed.dtypes}));
  if (typed.nccl) options.nccl = bench::not_empty("--nccl", *typed.nccl);
  options.timeout = bench::seconds("--timeout", typed.timeout);
  return options;
}

using validation::outcome;

/// Runs one check and says how it went.
void run_check(const validation::contract_check& check, const bench::arm& what, element_type type,
               bench::arm_site& site, validation::check_lines& lines) {
  validation::contract_site place{site.ulysses, site.on, type, [&] { return what.make(site); }};
  outcome result = outcome::ok;
  std::string detail;
  try {
    detail = check.run(place);
    if (!detail.empty()) result = outcome::failed;
  } catch (const not_eligible& reason) {
    result = outcome::skipped;
    detail = reason.what();
  }
  lines.add(result, what.name, fmt::format("{} {}", to_string(type), check.name), detail);
}

int validate(const validate_options& options, group& world) {
  world.set_timeout(options.timeout);
  if (world.size() < 2) throw invalid_use("one rank has nobody to exchange with: start at least 2");
  const bench::chosen_device chosen = bench::choose_device(
      options.device, options.share_gpu ? bench::gpu_sharing::allowed : bench::gpu_sharing::refused,
      world);
  const bench::chosen_nccl nccl = bench::choose_nccl(options.nccl, world);
  if (world.rank() == 0) {
    fmt::print("ithaca-validate: {} ranks on the {} device ({}){}{}\n", world.size(),
               to_string(chosen.opened->kind()), chosen.opened->description(),
               nccl.file.empty() ? "" : "; NCCL ", nccl.version);
  }
  bench::arm_site site{world, *chosen.opened, nccl.file};
  // Between the sizes of the contract's tensors: a hybrid takes both of its ways.
  site.crossover_bytes = 30'000;
  validation::check_lines lines([&](const std::string& line) {
    if (world.rank() > 0) return;
    fmt::print("{}\n", line);
    std::fflush(stdout);
  });
  for (const std::string& name : options.arms) {
    const bench::arm& what = *bench::find_arm(name);
    if (!what.runs_on(chosen.opened->kind())) {
      if (options.all_arms) continue;
      lines.add(outcome::skipped, name, "",
                fmt::format("it does not run on the {} device", to_string(chosen.opened->kind())));
      lines.end_arm();
      continue;
    }
    for (const element_type type : options.types) {
      for (const validation::contract_check& check : validation::contract_checks()) {
        const bool with_each = check.types == validation::type_coverage::every_type;
        if (!with_each && type != options.types.front()) continue;
        run_check(check, what, type, site, lines);
      }
    }
    lines.end_arm();
  }
  if (world.rank() == 0) {
    fmt::print("{} checks passed, {} failed, {} skipped\n", lines.count(outcome::ok),
               lines.count(outcome::failed), lines.count(outcome::skipped));
  }
  if (lines.count(outcome::failed) > 0) return bench::check_failed;
  if (lines.count(outcome::ok) == 0) {
    throw invalid_use("nothing could be checked here: each line above says why");
  }
  return bench::good;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Proves the exchange on this machine: mpirun -np RANKS ithaca-validate");
  typed_options typed;
  declare(app, typed);
  validate_options options;
  std::string text;  // what there is to say instead of running
  int exit_code = bench::good;
  try {
    app.parse(argc, argv);
    options = judge(typed);
    if (!started_by_launcher()) {
      throw invalid_use("start it on several ranks, e.g. mpirun -np 2 ithaca-validate");
    }
  } catch (const CLI::CallForHelp&) {
    text = app.help();
    text.erase(text.find_last_not_of('\n') + 1);
  } catch (const std::exception& refused) {
    text = std::string("ithaca-validate: ") + refused.what();
    exit_code = bench::bad_use;
  }
  const auto leave = [&] {
    fmt::print(exit_code == bench::good ? stdout : stderr, "{}\n", text);
    return exit_code;
  };
  if (!started_by_launcher()) return leave();
  try {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const mpi_session session(argc, argv);
    mpi_group world(mpi_communicator::world());
    return bench::run_rank("ithaca-validate", world, arguments, [&](group& ranks) {
      if (!text.empty()) return ranks.rank() == 0 ? leave() : exit_code;
      return validate(options, ranks);
    });
  } catch (const std::exception& failure) {
    text = std::string("ithaca-validate: MPI could not be started: ") + failure.what();
    exit_code = bench::bad_use;
    return leave();
  }
}
