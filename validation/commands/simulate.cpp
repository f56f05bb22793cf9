#include "validation/commands/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

#include "backend/errors.hpp"
#include "bench/arms/table.hpp"
#include "bench/option_values.hpp"
#include "reports/console/exit_codes.hpp"

namespace ithaca::validation {
namespace {

/// More than their streams can be told apart by the simulator.
constexpr int most_ranks = 8;

std::unique_ptr<exchanger> make(const bench::arm& what, group& ranks, device& on) {
  bench::arm_site site{ranks, on};
  // Above the size of the simulated tensors: a hybrid takes its other way than copy-engine's.
  site.crossover_bytes = std::size_t{1} << 20;
  return what.make(site);
}

}  // namespace

void simulate_command::declare(CLI::App& app) {
  app.add_option("--ranks", typed_.ranks, "Simulated ranks, 2 to 8 (default: 4)");
  app.add_option("--exchanges", typed_.exchanges, "Exchanges of a schedule (default: 1000)");
  app.add_option("--seeds", typed_.seeds, "Schedules to explore (default: 10)");
  app.add_option("--seed", typed_.seed, "Only the schedule of this seed: replays a finding");
  app.add_option("--arms", typed_.arms, "Arms to explore, by commas, or all");
  app.add_flag("--bytes", typed_.bytes, "Move the bytes too, and check them");
}

void simulate_command::judge() {
  wanted_.ranks = bench::whole_number("--ranks", typed_.ranks, 2, most_ranks);
  wanted_.exchanges = static_cast<std::uint64_t>(
      bench::whole_number("--exchanges", typed_.exchanges, 1, 1'000'000'000));
  wanted_.seeds =
      static_cast<std::uint64_t>(bench::whole_number("--seeds", typed_.seeds, 1, 1'000'000'000));
  if (!typed_.seed.empty()) {
    wanted_.first_seed = bench::any_count("--seed", typed_.seed);
    if (wanted_.first_seed == std::numeric_limits<std::uint64_t>::max()) {
      throw invalid_use("--seed " + typed_.seed + ": give a smaller one");
    }
    wanted_.seeds = 1;
  }
  wanted_.move_bytes = typed_.bytes;
  const std::vector<std::string> named = bench::split_names("--arms", {typed_.arms});
  arms_ = bench::select_arms(named);
  const auto on_others = [](const std::string& name) {
    return !bench::find_arm(name)->runs_on(device_kind::sim);
  };
  const auto other = std::ranges::find_if(arms_, on_others);
  if (std::ranges::find(named, "all") == named.end() && other != arms_.end()) {
    throw invalid_use("arm " + *other + " can't be simulated: docs/simulation.md says which can");
  }
  std::erase_if(arms_, on_others);
}

int simulate_command::run_alone() {
  fmt::print("ithaca-validate: {} simulated ranks, {} exchanges a schedule, {}\n", wanted_.ranks,
             wanted_.exchanges,
             wanted_.move_bytes ? "bytes moved and checked" : "declared accesses only");
  bool found = false;
  for (const std::string& name : arms_) {
    const bench::arm& what = *bench::find_arm(name);
    const exploration_result result = explore(
        wanted_,
        {[&](group& ranks, device& on) { return make(what, ranks, on); }, what.reuse_by_caller});
    if (!result.not_eligible.empty()) {
      fmt::print("skipped  {}: {}\n", name, result.not_eligible);
      continue;
    }
    fmt::print("{}  {}: {} exchanges, {} operations, {} schedules, {} findings\n",
               result.story.empty() ? "ok     " : "FAILED ", name, result.exchanges,
               result.operations, result.schedules, result.findings);
    if (result.story.empty()) continue;
    found = true;
    fmt::print(
        "{}\nreplay: ithaca-validate simulate --ranks {} --exchanges {} --seed {} --arms {}{}\n",
        result.story, wanted_.ranks, wanted_.exchanges, result.seed, name,
        wanted_.move_bytes ? " --bytes" : "");
  }
  return found ? console::check_failed : console::good;
}

}  // namespace ithaca::validation
