#include "bench/simulated_exchange.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "backend/sim/exploring_policy.hpp"
#include "backend/sim/sim_group.hpp"
#include "backend/sim/simulate.hpp"
#include "bench/exchange_command.hpp"
#include "reports/console/exit_codes.hpp"
#include "reports/report_file.hpp"
#include "validation/unit/temporary_folder.hpp"

namespace ithaca::bench {
namespace {

exchange_options small_options(const std::filesystem::path& out) {
  exchange_options options;
  options.device = device_kind::sim;
  options.simulation.ranks = 2;
  options.arms = {"copy-engine"};
  options.own_shapes = {parse_shape("1,64,4,16")};
  options.rounds = 2;
  options.iterations = 1;
  options.out = out;
  return options;
}

/// Runs the command on two simulated ranks that hear what `watch` says of the order of accesses.
int run_watched(const exchange_options& options, const order_watch& watch) {
  sim::exploring_policy any_order(1);
  int exit_code = console::good;
  const auto result =
      sim::simulate({.ranks = 2, .move_bytes = false}, any_order, [&](group& world, device& on) {
        auto& ranks = dynamic_cast<sim::sim_group&>(world);
        const exchange_setting setting = {
            .split = [&](int color, int key) { return ranks.split(color, key); },
            .open_device =
                [&](group&) {
                  return chosen_device{{std::shared_ptr<void>(), &on}, 0};
                },
            .fabric = "none",
            .watch_order = watch};
        exit_code = std::max(exit_code, exchange_command(options, {}, world, setting));
      });
  sim::rethrow_failure(result);
  return exit_code;
}

TEST(simulated_exchange, runs_the_command_and_says_what_it_is) {
  const temporary_folder folder;
  EXPECT_EQ(simulated_exchange(small_options(folder / "out"), {}), console::good);
  const reports::report report = reports::read_report(folder / "out" / "report.json");
  EXPECT_EQ(report.machine.fabric, "h200-nv18");
  EXPECT_THAT(*report.run.note, testing::HasSubstr("none were checked"));
  for (const reports::cell& each : report.cells) {
    EXPECT_EQ(each.status, reports::cell_status::measured);
    EXPECT_EQ(each.checked.bytes, 0u);
  }
}

TEST(simulated_exchange, refutes_the_arm_whose_accesses_lack_order) {
  const temporary_folder folder;
  // Asked for the first time behind the first arm's warm-up.
  int asked = 0;
  EXPECT_EQ(run_watched(small_options(folder / "out"),
                        [&] { return asked++ == 0 ? "conflict: somewhere" : ""; }),
            console::check_failed);
  const reports::report report = reports::read_report(folder / "out" / "report.json");
  EXPECT_GT(asked, 2);
  for (const reports::cell& each : report.cells) {
    const bool blamed = each.key.arm == "copy-engine";
    EXPECT_EQ(each.status, blamed ? reports::cell_status::refuted : reports::cell_status::measured);
    if (blamed) {
      EXPECT_EQ(each.reason, "conflict: somewhere");
    }
  }
}

}  // namespace
}  // namespace ithaca::bench
