#include "backend/direct_exchanger.hpp"
#include "bench/arm.hpp"
#include "bench/exchange_facts.hpp"

namespace ithaca::bench {
namespace {

std::unique_ptr<exchanger> make(arm_site& site) {
  return std::make_unique<direct_exchanger>(site.ulysses, site.on,
                                            direct_options{.moves = mover::push_kernel});
}

/// One kernel a tensor, which stores everything, and the copy engine's signals.
traces::claim claim(std::span<const tensor_spec> specs, int rank) {
  const exchange_facts facts = facts_of(specs, rank);
  traces::claim said;
  said.kernels = {{"push_kernel", facts.tensors_sent}};
  said.signal_writes = 2 * facts.peers;
  said.signal_waits = facts.peers + facts.peers_sent_to;
  return said;
}

}  // namespace

arm push_arm() {
  return {"push",
          "one kernel a tensor on 64 thread blocks stores strided rows into the peers' targets",
          {device_kind::cuda, device_kind::host},
          make,
          claim,
          1};
}

}  // namespace ithaca::bench
