#include "bench/simulated_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>

#include "backend/direct_options.hpp"
#include "backend/errors.hpp"
#include "backend/sim/sim_device.hpp"
#include "backend/sim/sim_group.hpp"
#include "backend/sim/simulate.hpp"
#include "backend/sim/timed_policy.hpp"
#include "bench/arm.hpp"
#include "bench/exchange_command.hpp"
#include "bench/fabric_file.hpp"
#include "reports/console/exit_codes.hpp"
#include "reports/console/output.hpp"

namespace ithaca::bench {
namespace {

/// A finding's lines as one.
std::string one_line(std::string story) {
  for (std::size_t at = 0; (at = story.find('\n', at)) != std::string::npos;) {
    story.replace(at, 1, ";");
  }
  return story;
}

/// What came to `findings` since the last time.
class finding_reader {
 public:
  std::string next(const std::vector<sim::finding>& findings) {
    const std::size_t before = std::exchange(told_, findings.size());
    if (before == findings.size()) return "";
    std::string text = one_line(findings[before].story);
    if (findings.size() - before > 1) {
      text += fmt::format(" (and {} more like it)", findings.size() - before - 1);
    }
    return text;
  }

 private:
  std::size_t told_ = 0;
};

/// As `run_rank` for ranks that are processes; here there are neither signals nor deaths to watch,
/// and a rank that fails leaves the others to find out.
int run_simulated_rank(const group& world, const std::function<int()>& program) {
  const auto refuse = [&](const char* what) {
    if (world.rank() == 0) console::complain(std::string("ithaca-bench: ") + what);
    return console::bad_use;
  };
  try {
    return program();
  } catch (const invalid_use& refused) {
    return refuse(refused.what());
  } catch (const not_eligible& refused) {
    return refuse(refused.what());
  } catch (const std::exception& failure) {
    console::complain(
        fmt::format("ithaca-bench: rank {}: the exchange broke: {}", world.rank(), failure.what()));
    return console::broken;
  }
}

}  // namespace

int simulated_exchange(const exchange_options& options, const std::vector<std::string>& arguments) {
  const simulation_choice& chosen = options.simulation;
  sim::fabric_figures figures = read_fabric(chosen.fabric);
  if (chosen.skew_ns) figures.arrival_skew_ns = *chosen.skew_ns;
  sim::timed_policy timed(figures, chosen.ranks,
                          {.seed = options.seed,
                           .push_ctas = options.push_ctas.value_or(default_push_ctas),
                           .push_exchange_ctas = direct_options{}.push_exchange_ctas});
  int exit_code = console::good;
  finding_reader unread;
  const auto on_rank = [&](group& ranks, device& on) {
    auto& world = dynamic_cast<sim::sim_group&>(ranks);
    const auto& here = dynamic_cast<sim::sim_device&>(on);
    const exchange_setting setting = {
        .split = [&](int color, int key) { return world.split(color, key); },
        .open_device =
            [&](group&) {
              return chosen_device{{std::shared_ptr<void>(), &on}, 0};
            },
        .fabric = figures.name,
        .watch_order = [&] { return unread.next(here.findings()); }};
    exit_code = std::max(exit_code, run_simulated_rank(world, [&] {
                           return exchange_command(options, arguments, world, setting);
                         }));
  };
  const sim::simulation_result result =
      sim::simulate({.ranks = chosen.ranks, .move_bytes = chosen.move_bytes}, timed, on_rank);
  sim::rethrow_failure(result);
  if (const std::string missed = unread.next(result.findings); !missed.empty()) {
    console::complain("ithaca-bench: " + missed);
    exit_code = std::max<int>(exit_code, console::check_failed);
  }
  return exit_code;
}

}  // namespace ithaca::bench
