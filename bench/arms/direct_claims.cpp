#include "bench/arms/direct_claims.hpp"

#include "bench/exchange_facts.hpp"

namespace ithaca::bench {
namespace {

traces::claim signals(const exchange_facts& facts) {
  traces::claim said;
  said.signal_writes = 2 * facts.peers;
  said.signal_waits = facts.peers + facts.peers_sent_to;
  return said;
}

}  // namespace

traces::claim copy_engine_claim(const claimed_exchange& of) {
  const exchange_facts facts = facts_of(of.specs, of.rank);
  traces::claim said = signals(facts);
  said.peer_copies_on_copy_engine = true;
  said.peer_copies = facts.to_peers;
  said.local_copies = facts.own;
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
