#include "backend/direct_exchanger.hpp"
#include "bench/arms/direct_claims.hpp"

namespace ithaca::bench {
namespace {

std::unique_ptr<exchanger> make_hybrid(arm_site& site) {
  return std::make_unique<direct_exchanger>(
      site.ulysses, site.on,
      direct_options{.moves = mover::hybrid,
                     .push_exchange_up_to_bytes = site.crossover_bytes.value()});
}

traces::claim claim_hybrid(const claimed_exchange& of) {
  return of.way.starts_with("push-exchange") ? push_exchange_claim(of) : copy_engine_claim(of);
}

}  // namespace

arm hybrid_arm() {
  arm made{"hybrid",
           "push-exchange up to the crossover that is measured at the start, copy-engine above",
           {device_kind::cuda, device_kind::host, device_kind::sim},
           make_hybrid,
           claim_hybrid,
           1};
  made.needs_crossover = true;
  return made;
}

}  // namespace ithaca::bench
