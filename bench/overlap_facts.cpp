#include "bench/overlap_facts.hpp"

namespace ithaca::bench {
namespace {

reports::tag_overlap_figures tag_facts(const traces::tag_overlap& of) {
  reports::tag_overlap_figures facts;
  facts.moving_ns = of.moving.total_ns();
  facts.overlap_ns = of.windows.total_ns();
  facts.windows = of.windows.intervals().size();
  for (const auto& [name, windows] : of.beside) facts.beside_ns[name] = windows.total_ns();
  return facts;
}

}  // namespace

reports::overlap_figures overlap_facts(const traces::stage_overlap& of) {
  reports::overlap_figures facts;
  facts.rank = of.rank;
  facts.stage_ns = traces::length_ns(of.stage);
  facts.compute_ns = of.computation.total_ns();
  facts.communication_ns = of.communication().total_ns();
  facts.to_peers_ns = of.to_peers.total_ns();
  facts.within_rank_ns = of.within_rank.total_ns();
  facts.hidden_ns = of.hidden().total_ns();
  facts.exposed_ns = of.exposed().total_ns();
  if (of.held_sm_ns && facts.communication_ns > 0) {
    facts.sms_held =
        static_cast<double>(*of.held_sm_ns) / static_cast<double>(facts.communication_ns);
  }
  for (const auto& [tag, overlap] : of.tags) facts.tags[tag] = tag_facts(overlap);
  return facts;
}

}  // namespace ithaca::bench
