#include "bench/prepared_scenario.hpp"

#include <algorithm>

#include "backend/errors.hpp"

namespace ithaca::bench {
namespace {

constexpr std::int64_t window = prepared_scenario::exchanges_per_pipeline - 1;

}  // namespace

std::size_t prepared_scenario::required_bytes(const scenario& what,
                                              const std::vector<entrant>& entrants, int rank) {
  const std::vector<tensor_spec> specs = specs_of(what);
  // In floating point: the sizes of a shape fit into 63 bits, a multiple of them need not.
  double targets = 0;
  for (const tensor_spec& spec : specs) {
    targets += static_cast<double>(spec.geometry.target_bytes(rank));
  }
  auto bytes = static_cast<double>(workload::source_bytes(specs, rank, window));
  for (const entrant& each : entrants) bytes += each.what->memory_factor * targets;
  constexpr double most = 9e18;
  return static_cast<std::size_t>(std::min(bytes, most));
}

prepared_scenario::prepared_scenario(const scenario& what, const std::vector<entrant>& entrants,
                                     ulysses_site& site, group& world, start_gate& gate) {
  device& on = site.site().on;
  std::string failure;
  try {
    load_ = std::make_unique<workload>(on, specs_of(what), site.ranks().rank(), site.global_ranks(),
                                       projection_of(what), window);
  } catch (const invalid_use& refused) {
    failure = refused.what();
  }
  if (!world.agree(failure.empty())) {
    throw invalid_use(failure.empty() ? "another rank has no room for " + to_string(what)
                                      : failure);
  }
  for (const entrant& each : entrants) {
    contenders_.push_back(
        std::make_unique<contender>(each.name, *each.what, site, world, gate, *load_));
  }
}

}  // namespace ithaca::bench
