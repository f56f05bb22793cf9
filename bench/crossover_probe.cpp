#include "bench/crossover_probe.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "backend/errors.hpp"
#include "bench/arms/table.hpp"
#include "bench/crossing.hpp"
#include "bench/prepared_exchange.hpp"
#include "bench/sized_scenarios.hpp"
#include "bench/whereabouts.hpp"
#include "reports/statistics.hpp"

namespace ithaca::bench {
namespace {

constexpr int samples_a_size = 7;

/// Where bytes move on the host, nothing is quicker than anything: the probe only has to run.
size_sweep sizes_to_try(const device& on) {
  constexpr std::size_t kib = 1024;
  const bool on_host = on.kind() != device_kind::cuda && on.moves_bytes();
  return {.least_bytes = 64 * kib, .most_bytes = on_host ? 256 * kib : 256 * kib * kib};
}

std::vector<entrant> both_arms() {
  const std::vector isolated = {exchange_mode::isolated};
  return {{"push-exchange", find_arm("push-exchange"), isolated},
          {"copy-engine", find_arm("copy-engine"), isolated}};
}

/// Empty if there is no room for the sources.
std::unique_ptr<prepared_scenario> made_ready(const scenario& what, group& world,
                                              ulysses_site& site, start_gate& gate) {
  try {
    return std::make_unique<prepared_exchange>(what, both_arms(), site, world, gate);
  } catch (const invalid_use&) {
    return nullptr;  // on every rank alike
  }
}

compared_times compare(const scenario& what, prepared_scenario& ready, whereabouts& here,
                       std::uint64_t& iteration) {
  auto& arms = ready.contenders();
  for (const auto& who : arms) {
    here.turn_to(*who);
    who->samples().warm_up(++iteration);
    who->samples().warm_up(++iteration);
  }
  std::vector<std::vector<double>> times_ns(arms.size());
  for (int round = 0; round < samples_a_size; ++round) {
    for (std::size_t index = 0; index < arms.size(); ++index) {
      here.turn_to(*arms[index]);
      const sample taken = arms[index]->samples().take(exchange_mode::isolated, ++iteration);
      times_ns[index].push_back(static_cast<double>(taken.elapsed_ns));
    }
  }
  std::size_t bytes = 0;
  for (const tensor_spec& spec : specs_of(what)) bytes += spec.geometry.peer_bytes(0);
  return {static_cast<double>(bytes) / (what.degree - 1), reports::median(times_ns[0]),
          reports::median(times_ns[1])};
}

}  // namespace

probed_crossover probe_crossover(group& world, ulysses_site& site, start_gate& gate) {
  std::uint64_t iteration = 0;
  std::vector<compared_times> by_size;
  probed_crossover found;
  for (const scenario& what : scenarios_of(sizes_to_try(site.site().on), {element_type::bf16},
                                           {site.ranks().size()}, direction::scatter)) {
    whereabouts here(world, "measuring the crossover, " + to_string(what));
    const auto ready = made_ready(what, world, site, gate);
    // The reason stands in the cells of the arm itself.
    if (!ready ||
        !std::ranges::all_of(ready->contenders(), [](const auto& who) { return who->ready(); }))
      break;
    const compared_times now = compare(what, *ready, here, iteration);
    found.mismatched_bytes += static_cast<std::uint64_t>(
        world.sum(static_cast<std::int64_t>(ready->findings().mismatched_bytes)));
    by_size.push_back(now);
    world.barrier();  // nobody frees what a peer still writes
    if (now.first_ns > now.second_ns) break;
  }
  // What is quick but wrong has won nothing.
  if (found.mismatched_bytes == 0) found.bytes = crossing_bytes(by_size);
  return found;
}

}  // namespace ithaca::bench
