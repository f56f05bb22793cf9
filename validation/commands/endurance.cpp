#include "validation/commands/endurance.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdio>

#include "backend/errors.hpp"
#include "bench/option_values.hpp"
#include "reports/console/exit_codes.hpp"
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
  app.add_option("--exchanges", exchanges_text_, "How many, of each arm (default: 10000)");
  ranks_.declare(app, "Let ranks share a GPU (its memory is not looked at then)");
  arms_.declare(app);
}

void endurance_command::judge() {
  ranks_.judge();
  arms_.judge();
  exchanges_ = static_cast<std::uint64_t>(
      bench::whole_number("--exchanges", exchanges_text_, 2 * settled_exchanges, 1'000'000'000));
}

int endurance_command::run(group& world) {
  const bench::chosen_device chosen = ranks_.open(world);
  const device& on = *chosen.opened;
  const bench::chosen_nccl nccl = arms_.choose_nccl(world);
  bench::arm_site site{world, *chosen.opened, nccl.file};
  site.crossover_bytes = 30'000;  // given: nothing is to be measured here
  const bool own_gpu = on.kind() == device_kind::cuda && !ranks_.shares_gpu();
  const auto look = [&] { return own_gpu ? holdings::now(on) : holdings::now(); };
  check_lines lines([&](const std::string& line) {
    if (world.rank() > 0) return;
    fmt::print("{}\n", line);
    std::fflush(stdout);
  });
  arms_.each(on.kind(), lines, [&](const bench::arm& what) {
    contract_site place{world, *chosen.opened, element_type::bf16, [&] { return what.make(site); },
                        what.reuse_by_caller};
    try {
      const endurance of = endure(place, exchanges_, look);
      const std::string wrong = what_is_wrong(of, world);
      lines.add(wrong.empty() ? outcome::ok : outcome::failed, what.name,
                fmt::format("{} exchanges", exchanges_),
                fmt::format("{}rank 0 after {}: {}; after all: {}", wrong, settled_exchanges,
                            to_string(of.before), to_string(of.after)));
    } catch (const not_eligible& reason) {
      lines.add(outcome::skipped, what.name, "", reason.what());
    }
  });
  if (lines.count(outcome::failed) > 0) return console::check_failed;
  if (lines.count(outcome::ok) == 0) {
    throw invalid_use("nothing could be run here: each line above says why");
  }
  return console::good;
}

}  // namespace ithaca::validation
