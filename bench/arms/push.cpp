#include "backend/direct_exchanger.hpp"
#include "bench/arms/direct_claims.hpp"

namespace ithaca::bench {
namespace {

template <kernels::push_stores stores>
std::unique_ptr<exchanger> make_each(arm_site& site) {
  return std::make_unique<direct_exchanger>(
      site.ulysses, site.on,
      direct_options{.moves = mover::push_kernel,
                     .push = {.ctas = site.push_ctas, .stores = stores}});
}

std::unique_ptr<exchanger> make_exchange(arm_site& site) {
  return std::make_unique<direct_exchanger>(site.ulysses, site.on,
                                            direct_options{.moves = mover::push_exchange});
}

traces::claim claim_vectors(const claimed_exchange& of) {
  return push_each_claim(of, "push_kernel");
}

traces::claim claim_bulk(const claimed_exchange& of) {
  return push_each_claim(of, "push_bulk_kernel");
}

arm push_like(std::string_view name, std::string_view summary,
              std::unique_ptr<exchanger> (*make)(arm_site&),
              traces::claim (*claim)(const claimed_exchange&)) {
  return {name, summary, {device_kind::cuda, device_kind::host, device_kind::sim}, make, claim, 1};
}

}  // namespace

arm push_arm() {
  return push_like(
      "push", "one kernel a tensor stores strided rows into the peers' targets, 16 bytes at a time",
      make_each<kernels::push_stores::vector16>, claim_vectors);
}

arm push_bulk_arm() {
  return push_like("push-bulk", "as push, by the SMs' bulk (TMA) copies",
                   make_each<kernels::push_stores::bulk>, claim_bulk);
}

arm push_exchange_arm() {
  return push_like("push-exchange",
                   "one kernel for the whole exchange on the caller's stream, signals included",
                   make_exchange, push_exchange_claim);
}

}  // namespace ithaca::bench
