#include "bench/crossover_probe.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/arms/table.hpp"
#include "bench/prepared_scenario.hpp"
#include "bench/sized_scenarios.hpp"

namespace ithaca::bench {
namespace {

constexpr int samples_a_size = 7;

/// On the host device, where nothing is quicker than anything, the probe only has to run.
size_sweep sizes_to_try(device_kind kind) {
  constexpr std::size_t kib = 1024;
  return {.least_bytes = 64 * kib,
          .most_bytes = kind == device_kind::cuda ? 256 * kib * kib : 256 * kib};
}

struct pair_of_times {
  double bytes = 0;
  double push_ns = 0;
  double copy_ns = 0;
};

double median(std::vector<std::int64_t> times_ns) {
  const auto middle = times_ns.begin() + samples_a_size / 2;
  std::ranges::nth_element(times_ns, middle);
  return static_cast<double>(*middle);
}

pair_of_times compare(const scenario& what, group& world, ulysses_site& site, start_gate& gate,
                      std::uint64_t& iteration) {
  const std::vector<entrant> both = {{"push-together", find_arm("push-together")},
                                     {"copy-engine", find_arm("copy-engine")}};
  prepared_scenario ready(what, both, site, world, gate);
  std::vector<std::vector<std::int64_t>> times_ns(both.size());
  for (const auto& who : ready.contenders()) {
    // The reason stands in the cells of the arm itself.
    if (!who->ready()) return {};
    who->samples().warm_up(++iteration);
    who->samples().warm_up(++iteration);
  }
  for (int sample = 0; sample < samples_a_size; ++sample) {
    for (std::size_t index = 0; index < both.size(); ++index) {
      times_ns[index].push_back(
          ready.contenders()[index]->samples().isolated(++iteration).elapsed_ns);
    }
  }
  std::size_t bytes = 0;
  for (const tensor_spec& spec : specs_of(what)) bytes += spec.geometry.peer_bytes(0);
  world.barrier();  // nobody frees what a peer still writes
  return {static_cast<double>(bytes) / (what.degree - 1), median(times_ns[0]), median(times_ns[1])};
}

}  // namespace

std::size_t probe_crossover(group& world, ulysses_site& site, start_gate& gate) {
  std::uint64_t iteration = 0;
  pair_of_times before;
  for (const scenario& what :
       scenarios_of(sizes_to_try(site.site().on.kind()), {element_type::bf16},
                    {site.ranks().size()}, direction::scatter)) {
    const pair_of_times now = compare(what, world, site, gate, iteration);
    if (now.copy_ns == 0 || (now.push_ns > now.copy_ns && before.bytes == 0)) return 0;
    if (now.push_ns > now.copy_ns) {
      const double led_by = std::log(before.copy_ns / before.push_ns);
      const double behind_by = std::log(now.push_ns / now.copy_ns);
      const double share = led_by / (led_by + behind_by);
      return static_cast<std::size_t>(before.bytes * std::pow(now.bytes / before.bytes, share));
    }
    before = now;
  }
  return static_cast<std::size_t>(before.bytes);
}

}  // namespace ithaca::bench
