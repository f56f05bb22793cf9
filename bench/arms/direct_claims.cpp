#include "bench/arms/direct_claims.hpp"

#include "bench/exchange_facts.hpp"

namespace ithaca::bench {
namespace {

/// With a handshake for the targets, of epochs.
traces::claim signals(const exchange_facts& facts) {
  traces::claim said;
  said.signal_writes = 2 * facts.peers;
  said.signal_waits = facts.peers + facts.peers_sent_to;
  return said;
}

void add_copies(traces::claim& said, const exchange_facts& facts) {
  said.peer_copies_on_copy_engine = true;
  said.peer_copies = facts.to_peers;
  said.local_copies = facts.own;
}

}  // namespace

traces::claim copy_engine_claim(const claimed_exchange& of) {
  const exchange_facts facts = facts_of(of.specs, of.rank);
  traces::claim said = signals(facts);
  add_copies(said, facts);
  return said;
}

traces::claim copy_engine_arrival_claim(const claimed_exchange& of) {
  const exchange_facts facts = facts_of(of.specs, of.rank);
  traces::claim said;
  said.signal_writes = facts.peers;
  said.signal_waits = facts.peers;
  add_copies(said, facts);
  return said;
}

traces::claim copy_engine_flags_claim(const claimed_exchange& of) {
  const exchange_facts facts = facts_of(of.specs, of.rank);
  traces::claim said;
  said.signal_writes = 4 * facts.peers;
  said.signal_waits = 2 * facts.peers;
  add_copies(said, facts);
  return said;
}

traces::claim push_each_claim(const claimed_exchange& of, const char* kernel) {
  const exchange_facts facts = facts_of(of.specs, of.rank);
  traces::claim said = signals(facts);
  said.kernels = {{kernel, facts.tensors_sent_to_peers}};
  said.local_copies = facts.own;
  return said;
}

traces::claim push_exchange_claim(const claimed_exchange& of) {
  traces::claim said;
  said.kernels = {{"push_exchange_kernel", 1}};
  // The others are the kernel's own.
  said.signal_writes = facts_of(of.specs, of.rank).peers;
  return said;
}

}  // namespace ithaca::bench
