#include "validation/commands/fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "backend/errors.hpp"
#include "backend/step.hpp"
#include "bench/arms/table.hpp"
#include "bench/option_values.hpp"
#include "reports/console/exit_codes.hpp"
#include "validation/contract/exchange_rig.hpp"
#include "validation/faults/failing_device.hpp"
#include "validation/faults/failing_exchanger.hpp"

namespace ithaca::validation {
namespace {

constexpr int most_exchanges = 1'000'000;

/// The enumerator of a name typed, by its place.
template <class Enum>
Enum parse(std::string_view flag, const std::string& typed, const std::vector<std::string>& names) {
  return static_cast<Enum>(std::ranges::find(names, bench::one_of(flag, typed, names)) -
                           names.begin());
}

/// Q, K and V out, O back: small, so that a run takes moments.
std::vector<tensor_spec> layer(int degree) {
  const head_layout layout(
      {1, even_shares(64 * degree, degree), 2 * degree, 2 * degree, 64, element_type::bf16});
  return {{"v", {layout, head_set::kv, direction::scatter}},
          {"q", {layout, head_set::query, direction::scatter}},
          {"k", {layout, head_set::kv, direction::scatter}},
          {"o", {layout, head_set::query, direction::gather}}};
}

}  // namespace

void fault_command::declare(CLI::App& app) {
  app.add_option("--point", typed_.point,
                 fmt::format("Where: {}", fmt::join(fault_point_names, ", ")));
  app.add_option("--how", typed_.how, fmt::format("How: {}", fmt::join(fault_kind_names, ", ")));
  app.add_option("--rank", typed_.rank, "Which rank fails (default: 0)");
  app.add_option("--exchange", typed_.exchange, "In which exchange, from 1 (default: 3)");
  app.add_option("--exchanges", typed_.exchanges, "How many there are (default: 6)");
  app.add_option("--arm", typed_.arm, "Arm that exchanges");
  ranks_.declare(app, "Let ranks share a GPU");
}

void fault_command::judge() {
  plan_.at = parse<fault_point>("--point", typed_.point, fault_point_names);
  plan_.how = parse<fault_kind>("--how", typed_.how, fault_kind_names);
  plan_.rank = bench::whole_number("--rank", typed_.rank, 0, most_exchanges);
  exchanges_ = bench::whole_number("--exchanges", typed_.exchanges, 1, most_exchanges);
  plan_.exchange = bench::whole_number("--exchange", typed_.exchange, 1, exchanges_);
  arm_ = bench::find_arm(bench::select_arms(std::vector{typed_.arm}).front());
  ranks_.judge();
}

int fault_command::run(group& world) {
  if (plan_.rank >= world.size()) {
    throw invalid_use(fmt::format("--rank {}: there are only {} ranks", plan_.rank, world.size()));
  }
  const bench::chosen_device chosen = ranks_.open(world);
  if (!arm_->runs_on(chosen.opened->kind())) {
    throw invalid_use(fmt::format("{} does not run on the {} device", arm_->name,
                                  to_string(chosen.opened->kind())));
  }
  fault_strike strike(world, plan_);
  const step timing(world, [&] { return strike.since(); });
  failing_device on(*chosen.opened, strike);
  bench::arm_site site{world, on};
  site.crossover_bytes = 30'000;
  contract_site place{world, on, element_type::bf16, [&]() -> std::unique_ptr<exchanger> {
                        auto made = std::make_unique<failing_exchanger>(arm_->make(site), strike);
                        on.begin();
                        return made;
                      }};
  exchange_rig rig(place, layer(world.size()));
  for (int exchange = 1; exchange <= exchanges_; ++exchange) {
    const step here(world, [&] { return rig.transport().standing(); });
    const auto iteration = static_cast<std::uint64_t>(exchange);
    rig.exchange(iteration, {}, {0, 1, 2});
    rig.exchange(iteration, {.pieces = 2}, {3});
    rig.finish();
  }
  const std::int64_t wrong = rig.mismatched_bytes();
  if (world.rank() == 0) {
    fmt::print("{} exchanges of {}, {} bytes wrong{}\n", exchanges_, arm_->name, wrong,
               plan_.how == fault_kind::none ? "" : "; the fault was survived");
  }
  return wrong == 0 && plan_.how == fault_kind::none ? console::good : console::check_failed;
}

}  // namespace ithaca::validation
