#include "bench/interference/prepared_interference.hpp"

#include <algorithm>

#include "backend/errors.hpp"
#include "bench/cell_facts.hpp"
#include "bench/interference/interference_sampler.hpp"
#include "bench/stage/idle_exchanger.hpp"
#include "bench/stage/prepared_stage.hpp"

namespace ithaca::bench {
namespace {

std::size_t interference_bytes(const scenario& what, const std::vector<entrant>& entrants,
                               int rank) {
  std::vector<entrant> as_stages = entrants;
  for (entrant& each : as_stages) each.schedule = "sequential";
  const stage_sizes sizes(what);
  const double output = static_cast<double>(sizes.batch() * sizes.rows(rank)) *
                        static_cast<double>(sizes.row_bytes());
  constexpr double most = 9e18;
  return static_cast<std::size_t>(
      std::min(most, static_cast<double>(stages.required_bytes(what, as_stages, rank)) + output));
}

std::unique_ptr<prepared_scenario> prepare_interference(const scenario& what,
                                                        const std::vector<entrant>& entrants,
                                                        ulysses_site& site, group& world,
                                                        start_gate& gate) {
  return std::make_unique<prepared_interference>(what, entrants, site, world, gate);
}

bool has_arm(const entrant& who) { return who.name != no_arm; }

}  // namespace

const subject interferences = {stages.why_not, interference_bytes, prepare_interference, nullptr};

prepared_interference::prepared_interference(const scenario& what,
                                             const std::vector<entrant>& entrants,
                                             ulysses_site& site, group& world, start_gate& gate)
    : world_(world), sizes_(what), load_(make_stage_workload(what, sizes_, site, world)) {
  // What is exchanged, once and for all samples.
  const index_range rows{0, sizes_.rows(site.ranks().rank())};
  load_->project({0, sizes_.all_heads()}, rows, 0, {});
  for (const qkv_tensor tensor : {qkv_tensor::q, qkv_tensor::k}) {
    load_->normalise(tensor, {0, sizes_.heads(tensor)}, rows, 0, {});
  }
  for (const entrant& each : entrants) {
    const beside computed = parse_beside(each.schedule);
    const std::string reason = each.what->bare ? why_no_bare_arm : "";
    contenders_.push_back(std::make_unique<contender>(
        each, site, world, sizes_.specs(1, own_chunk::copied), reason,
        [&](exchanger& made) {
          return std::make_unique<interference_sampler>(
              world, site.ranks(), gate, made, *load_, computed,
              computations_[static_cast<std::size_t>(computed)], has_arm(each));
        },
        &exchangers_));
  }
}

std::uint64_t prepared_interference::checked_bytes(exchange_mode mode) const {
  return mode == exchange_mode::compute_only ? 0 : load_->checked_bytes();
}

reports::cell_inputs prepared_interference::facts(contender& who, exchange_mode mode,
                                                  std::uint64_t) {
  reports::cell_inputs facts = cell_facts(sizes_.specs(1, own_chunk::copied), who, world_);
  const repetitions timed = dynamic_cast<const interference_sampler&>(who.samples()).timed();
  const bool of_computations =
      mode == exchange_mode::isolated || mode == exchange_mode::compute_only;
  facts.contains_computation = of_computations;
  facts.exchanges_per_sample =
      static_cast<std::uint64_t>(of_computations ? timed.computations : timed.exchanges);
  return facts;
}

traces::claim prepared_interference::claim(const contender& who, exchange_mode mode, int rank,
                                           std::string_view way) const {
  traces::claim whole;
  if (!has_arm(who.who())) return whole;
  const std::vector<tensor_spec> specs = sizes_.specs(1, own_chunk::copied);
  const auto& samples = dynamic_cast<const interference_sampler&>(who.samples());
  for (std::int64_t exchange = 0; exchange < samples.exchanges_in(mode); ++exchange) {
    whole += who.what().claim({specs, rank, way});
  }
  return whole;
}

}  // namespace ithaca::bench
