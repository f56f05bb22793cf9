#include "bench/prepared_exchange.hpp"

#include <algorithm>

#include "backend/errors.hpp"
#include "bench/cell_facts.hpp"
#include "bench/exchange_sampler.hpp"

namespace ithaca::bench {
namespace {

constexpr std::int64_t window = prepared_exchange::exchanges_per_pipeline - 1;

std::string why_no_exchange(const scenario& what) {
  try {
    layout_of(what);
  } catch (const invalid_use& refused) {
    return refused.what();
  }
  return "";
}

std::size_t exchange_bytes(const scenario& what, const std::vector<entrant>& entrants, int rank) {
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

std::unique_ptr<prepared_scenario> prepare_exchange(const scenario& what,
                                                    const std::vector<entrant>& entrants,
                                                    ulysses_site& site, group& world,
                                                    start_gate& gate) {
  return std::make_unique<prepared_exchange>(what, entrants, site, world, gate);
}

}  // namespace

const subject exchanges = {why_no_exchange, exchange_bytes, prepare_exchange};

prepared_exchange::prepared_exchange(const scenario& what, const std::vector<entrant>& entrants,
                                     ulysses_site& site, group& world, start_gate& gate)
    : what_(what), world_(world) {
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
        std::make_unique<contender>(each, site, world, load_->specs(), "", [&](exchanger& made) {
          return std::make_unique<exchange_sampler>(world, site.ranks(), on, gate, made, *load_);
        }));
  }
}

reports::cell_inputs prepared_exchange::facts(contender& who, exchange_mode mode,
                                              std::uint64_t iteration) {
  reports::cell_inputs facts = cell_facts(load_->specs(), who, world_);
  if (mode == exchange_mode::pipelined) {
    facts.exchanges_per_sample = exchanges_per_pipeline;
    facts.checker_ns = checker_ns(who, iteration);
  }
  return facts;
}

std::int64_t prepared_exchange::checker_ns(contender& who, std::uint64_t iteration) {
  return dynamic_cast<exchange_sampler&>(who.samples()).checker_ns(iteration);
}

traces::claim prepared_exchange::claim(const contender& who, exchange_mode, int rank,
                                       std::string_view way) const {
  return who.what().claim({load_->specs(), rank, way});
}

}  // namespace ithaca::bench
