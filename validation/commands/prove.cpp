#include "validation/commands/prove.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "backend/errors.hpp"
#include "bench/option_values.hpp"
#include "reports/console/exit_codes.hpp"
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
  ranks_.declare(app, "Let ranks share a GPU (NCCL refuses that)");
  arms_.declare(app);
  app.add_option("--dtypes", dtypes_text_, "Element types to check, by commas (default: all)");
}

void prove_command::judge() {
  ranks_.judge();
  arms_.judge();
  types_ = bench::parse_dtypes(bench::split_names("--dtypes", {dtypes_text_}));
}

int prove_command::run(group& world) {
  const bench::chosen_device chosen = ranks_.open(world);
  const bench::chosen_nccl nccl = arms_.choose_nccl(world);
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
  arms_.each(chosen.opened->kind(), lines, [&](const bench::arm& what) {
    for (const element_type type : types_) {
      for (const contract_check& check : contract_checks()) {
        const bool with_each = check.types == type_coverage::every_type;
        if (!with_each && type != types_.front()) continue;
        run_check(check, what, type, site, lines);
      }
    }
  });
  if (world.rank() == 0) {
    fmt::print("{} checks passed, {} failed, {} skipped\n", lines.count(outcome::ok),
               lines.count(outcome::failed), lines.count(outcome::skipped));
  }
  if (lines.count(outcome::failed) > 0) return console::check_failed;
  if (lines.count(outcome::ok) == 0) {
    throw invalid_use("nothing could be checked here: each line above says why");
  }
  return console::good;
}

}  // namespace ithaca::validation
