#include "validation/commands/prove.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "backend/errors.hpp"
#include "bench/arms/table.hpp"
#include "bench/device_choice.hpp"
#include "bench/exit_codes.hpp"
#include "bench/nccl_choice.hpp"
#include "bench/option_values.hpp"
#include "validation/check_lines.hpp"
#include "validation/contract/contract.hpp"

namespace ithaca::validation {
namespace {

/// Runs one check and says how it went.
void run_check(const contract_check& check, const bench::arm& what, element_type type,
               bench::arm_site& site, check_lines& lines) {
  contract_site place{site.ulysses, site.on, type, [&] { return what.make(site); },
                      what.reuse_by_caller};
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

}  // namespace

void prove_command::declare(CLI::App& app) {
  app.add_option("--device", typed_.device, "auto (GPUs where every rank has one), cuda or host");
  app.add_flag("--share-gpu", typed_.share_gpu, "Let ranks share a GPU (NCCL refuses that)");
  app.add_option("--arms", typed_.arms, "Arms to check, by commas, or all");
  app.add_option("--dtypes", typed_.dtypes, "Element types to check, by commas (default: all)");
  app.add_option("--nccl", typed_.nccl,
                 "NCCL to load, or the folder that holds libnccl.so.2 (default: found by name)");
  app.add_option("--timeout", typed_.timeout, "Seconds until a stalled exchange is an error");
}

void prove_command::judge() {
  device_ = bench::parse_device(typed_.device);
  const std::vector<std::string> named = bench::split_names("--arms", {typed_.arms});
  all_arms_ = std::ranges::find(named, "all") != named.end();
  arms_ = bench::select_arms(named);
  types_ = bench::parse_dtypes(bench::split_names("--dtypes", {typed_.dtypes}));
  if (typed_.nccl) nccl_ = bench::not_empty("--nccl", *typed_.nccl);
  timeout_ = bench::seconds("--timeout", typed_.timeout);
}

int prove_command::run(group& world) {
  world.set_timeout(timeout_);
  if (world.size() < 2) throw invalid_use("one rank has nobody to exchange with: start at least 2");
  const bench::chosen_device chosen = bench::choose_device(
      device_, typed_.share_gpu ? bench::gpu_sharing::allowed : bench::gpu_sharing::refused, world);
  const bench::chosen_nccl nccl = bench::choose_nccl(nccl_, world);
  if (world.rank() == 0) {
    fmt::print("ithaca-validate: {} ranks on the {} device ({}){}{}\n", world.size(),
               to_string(chosen.opened->kind()), chosen.opened->description(),
               nccl.file.empty() ? "" : "; NCCL ", nccl.version);
  }
  bench::arm_site site{world, *chosen.opened, nccl.file};
  // Between the sizes of the contract's tensors: a hybrid takes both of its ways.
  site.crossover_bytes = 30'000;
  check_lines lines([&](const std::string& line) {
    if (world.rank() > 0) return;
    fmt::print("{}\n", line);
    std::fflush(stdout);
  });
  for (const std::string& name : arms_) {
    const bench::arm& what = *bench::find_arm(name);
    if (!what.runs_on(chosen.opened->kind())) {
      if (all_arms_) continue;
      lines.add(outcome::skipped, name, "",
                fmt::format("it does not run on the {} device", to_string(chosen.opened->kind())));
      lines.end_arm();
      continue;
    }
    for (const element_type type : types_) {
      for (const contract_check& check : contract_checks()) {
        const bool with_each = check.types == type_coverage::every_type;
        if (!with_each && type != types_.front()) continue;
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

}  // namespace ithaca::validation
