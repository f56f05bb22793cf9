#include "bench/stage/prepared_stage.hpp"

#include <algorithm>
#include <set>

#include "backend/errors.hpp"
#include "bench/cell_facts.hpp"
#include "bench/kernel_probe.hpp"
#include "bench/prepared_exchange.hpp"
#include "bench/stage/stage_sampler.hpp"

namespace ithaca::bench {
namespace {

std::string why_refused(const scenario& what) {
  const std::string reason = exchanges.why_not(what);
  return reason.empty() ? why_no_stage(what) : reason;
}

std::size_t stage_bytes(const scenario& what, const std::vector<entrant>& entrants, int rank) {
  const stage_sizes sizes(what);
  double targets = 0;
  for (const tensor_spec& spec : sizes.specs(1, own_chunk::copied)) {
    targets += static_cast<double>(spec.geometry.target_bytes(rank));
  }
  double bytes = stage_workload::required_bytes(sizes, rank);
  std::set<std::string> exchangers;  // entrants share them
  for (const entrant& each : entrants) {
    const chosen_schedule by = parse_schedule(each.schedule);
    if (each.what->bare || !why_not_scheduled(by, sizes).empty()) continue;
    const auto specs = sizes.specs(by.what->head_parts, by.settings.own);
    if (exchangers.insert(exchanger_key(each, specs)).second) {
      bytes += each.what->memory_factor * targets;
    }
  }
  constexpr double most = 9e18;
  return static_cast<std::size_t>(std::min(bytes, most));
}

std::unique_ptr<prepared_scenario> prepare_stage(const scenario& what,
                                                 const std::vector<entrant>& entrants,
                                                 ulysses_site& site, group& world,
                                                 start_gate& gate) {
  return std::make_unique<prepared_stage>(what, entrants, site, world, gate);
}

std::vector<reports::kernel_rate> probe(const scenario& what, device& on) {
  const stage_sizes sizes(what);
  return probe_kernels(on, {sizes.layout(), projection::fused, sizes.norm(), what.rope});
}

bool exchanges_something(const entrant& who) {
  return std::ranges::find(who.modes, exchange_mode::compute_only) == who.modes.end();
}

}  // namespace

const subject stages = {why_refused, stage_bytes, prepare_stage, probe, true};

std::string why_not_scheduled(const chosen_schedule& by, const stage_sizes& sizes) {
  if (std::string reason = sizes.why_not_in_parts(by.what->head_parts);
      by.what->head_parts > 1 && !reason.empty()) {
    return reason;
  }
  const head_layout& layout = sizes.layout();
  for (const qkv_tensor tensor : all_qkv) {
    for (int rank = 0; rank < layout.degree(); ++rank) {
      try {
        const auto pieces = pieces_of(by, tensor, sizes.rows(rank));
        if (pieces.size() > 1 && sizes.rows(rank) != sizes.rows(0)) {
          return "its tokens don't divide evenly over the ranks, so their pieces would differ";
        }
      } catch (const invalid_use& refused) {
        return refused.what();
      }
    }
  }
  return "";
}

std::unique_ptr<stage_workload> make_stage_workload(const scenario& what, const stage_sizes& sizes,
                                                    ulysses_site& site, group& world) {
  std::unique_ptr<stage_workload> load;
  std::string failure;
  try {
    load = std::make_unique<stage_workload>(site.site().on, sizes, site.ranks().rank(),
                                            site.global_ranks(), what.rope);
  } catch (const invalid_use& refused) {
    failure = refused.what();
  }
  if (!world.agree(failure.empty())) {
    throw invalid_use(failure.empty() ? "another rank has no room for " + to_string(what)
                                      : failure);
  }
  return load;
}

prepared_stage::prepared_stage(const scenario& what, const std::vector<entrant>& entrants,
                               ulysses_site& site, group& world, start_gate& gate)
    : world_(world), sizes_(what), load_(make_stage_workload(what, sizes_, site, world)) {
  for (const entrant& each : entrants) {
    const chosen_schedule by = parse_schedule(each.schedule);
    std::string reason = why_not_scheduled(by, sizes_);
    if (each.what->bare) reason = why_no_bare_arm;
    const auto specs = reason.empty() ? sizes_.specs(by.what->head_parts, by.settings.own)
                                      : std::vector<tensor_spec>{};
    contenders_.push_back(std::make_unique<contender>(
        each, site, world, specs, reason,
        [&](exchanger& made) {
          return std::make_unique<stage_sampler>(world, site.ranks(), gate, made, *load_, by,
                                                 exchanges_something(each));
        },
        &exchangers_));
  }
}

std::uint64_t prepared_stage::checked_bytes(exchange_mode mode) const {
  return mode == exchange_mode::compute_only ? 0 : load_->checked_bytes();
}

reports::cell_inputs prepared_stage::facts(contender& who, exchange_mode mode, std::uint64_t) {
  reports::cell_inputs facts = cell_facts(sizes_.specs(1, own_chunk::copied), who, world_);
  facts.contains_computation = mode != exchange_mode::communication_only;
  return facts;
}

traces::claim prepared_stage::claim(const contender& who, exchange_mode, int rank,
                                    std::string_view way) const {
  traces::claim whole;
  if (!exchanges_something(who.who())) return whole;
  const chosen_schedule by = parse_schedule(who.who().schedule);
  const int parts = by.what->head_parts;
  const std::vector<tensor_spec> specs = sizes_.specs(parts, by.settings.own);
  std::vector<submitted_parts> slices;
  for (const qkv_tensor tensor : {qkv_tensor::v, qkv_tensor::q, qkv_tensor::k}) {
    submitted_parts& of_tensor = slices.emplace_back();
    for (const index_range& rows : pieces_of(by, tensor, sizes_.rows(rank))) {
      of_tensor.push_back({rows, {0, sizes_.heads(tensor) / parts}});
    }
  }
  for (int part = 0; part < parts; ++part) {
    const auto of_part =
        std::span(specs).subspan(static_cast<std::size_t>(part) * all_qkv.size(), all_qkv.size());
    whole += who.what().claim({of_part, rank, way, slices});
  }
  return whole;
}

}  // namespace ithaca::bench
