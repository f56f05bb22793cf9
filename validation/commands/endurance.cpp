#include "validation/commands/endurance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

#include "backend/errors.hpp"
#include "bench/arms/table.hpp"
#include "bench/device_choice.hpp"
#include "bench/exit_codes.hpp"
#include "bench/nccl_choice.hpp"
#include "bench/option_values.hpp"
#include "validation/check_lines.hpp"
#include "validation/endurance/endurance.hpp"

namespace ithaca::validation {
namespace {

/// What every rank holds more than before, and what arrived wrong; empty if nothing. Collective.
std::string what_is_wrong(const endurance& of, group& world) {
  std::string text;
  if (of.mismatched_bytes > 0) text = fmt::format("{} bytes were wrong; ", of.mismatched_bytes);
  const auto all = world.all_gather_text(growth(of.before, of.after));
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (!all[rank].empty()) text += fmt::format("rank {}: {}; ", rank, all[rank]);
  }
  return text;
}

}  // namespace

void endurance_command::declare(CLI::App& app) {
  app.add_option("--exchanges", typed_.exchanges, "How many, of each arm (default: 10000)");
  app.add_option("--device", typed_.device, "auto (GPUs where every rank has one), cuda or host");
  app.add_flag("--share-gpu", typed_.share_gpu,
               "Let ranks share a GPU (its memory is not looked at then)");
  app.add_option("--arms", typed_.arms, "Arms to run, by commas, or all");
  app.add_option("--nccl", typed_.nccl,
                 "NCCL to load, or the folder that holds libnccl.so.2 (default: found by name)");
  app.add_option("--timeout", typed_.timeout, "Seconds until a stalled exchange is an error");
}

void endurance_command::judge() {
  device_ = bench::parse_device(typed_.device);
  const std::vector<std::string> named = bench::split_names("--arms", {typed_.arms});
  all_arms_ = std::ranges::find(named, "all") != named.end();
  arms_ = bench::select_arms(named);
  exchanges_ = static_cast<std::uint64_t>(
      bench::whole_number("--exchanges", typed_.exchanges, 2 * settled_exchanges, 1'000'000'000));
  if (typed_.nccl) nccl_ = bench::not_empty("--nccl", *typed_.nccl);
  timeout_ = bench::seconds("--timeout", typed_.timeout);
}

int endurance_command::run(group& world) {
  world.set_timeout(timeout_);
  if (world.size() < 2) throw invalid_use("one rank has nobody to exchange with: start at least 2");
  const bench::chosen_device chosen = bench::choose_device(
      device_, typed_.share_gpu ? bench::gpu_sharing::allowed : bench::gpu_sharing::refused, world);
  const device& on = *chosen.opened;
  const bench::chosen_nccl nccl = bench::choose_nccl(nccl_, world);
  bench::arm_site site{world, *chosen.opened, nccl.file};
  site.crossover_bytes = 30'000;  // given: nothing is to be measured here
  const bool own_gpu = on.kind() == device_kind::cuda && !typed_.share_gpu;
  const auto look = [&] { return own_gpu ? holdings::now(on) : holdings::now(); };
  check_lines lines([&](const std::string& line) {
    if (world.rank() > 0) return;
    fmt::print("{}\n", line);
    std::fflush(stdout);
  });
  for (const std::string& name : arms_) {
    const bench::arm& what = *bench::find_arm(name);
    if (!what.runs_on(on.kind())) {
      if (all_arms_) continue;
      lines.add(outcome::skipped, name, "",
                fmt::format("it does not run on the {} device", to_string(on.kind())));
      lines.end_arm();
      continue;
    }
    contract_site place{world, *chosen.opened, element_type::bf16, [&] { return what.make(site); },
                        what.reuse_by_caller};
    try {
      const endurance of = endure(place, exchanges_, look);
      const std::string wrong = what_is_wrong(of, world);
      lines.add(wrong.empty() ? outcome::ok : outcome::failed, name,
                fmt::format("{} exchanges", exchanges_),
                fmt::format("{}rank 0 after {}: {}; after all: {}", wrong, settled_exchanges,
                            to_string(of.before), to_string(of.after)));
    } catch (const not_eligible& reason) {
      lines.add(outcome::skipped, name, "", reason.what());
    }
    lines.end_arm();
  }
  if (lines.count(outcome::failed) > 0) return bench::check_failed;
  if (lines.count(outcome::ok) == 0) {
    throw invalid_use("nothing could be run here: each line above says why");
  }
  return bench::good;
}

}  // namespace ithaca::validation
