#include "backend/direct_exchanger.hpp"
#include "bench/arm.hpp"
#include "bench/exchange_facts.hpp"

namespace ithaca::bench {
namespace {

std::unique_ptr<exchanger> make(arm_site& site) {
  return std::make_unique<direct_exchanger>(site.ulysses, site.on);
}

/// Nothing but pitched copies and signals: to each peer one epoch for its data and one for the
/// released targets, the waits for the peers' data, and for the release of each target written.
traces::claim claim(std::span<const tensor_spec> specs, int rank) {
  const exchange_facts facts = facts_of(specs, rank);
  traces::claim said;
  said.peer_copies_on_copy_engine = true;
  said.peer_copies = facts.to_peers;
  said.local_copies = facts.own;
  said.signal_writes = 2 * facts.peers;
  said.signal_waits = facts.peers + facts.peers_sent_to;
  return said;
}

}  // namespace

arm copy_engine_arm() {
  return {"copy-engine",
          "pitched copies into the peers' targets on copy engines, rotated, grouped signals",
          {device_kind::cuda, device_kind::host},
          make,
          claim,
          1};
}

}  // namespace ithaca::bench
