#include "bench/arms/direct_claims.hpp"

#include "backend/direct_options.hpp"

namespace ithaca::bench {
namespace {

/// `times` a signal to each of so many peers.
void add_signals(traces::claim& said, std::uint64_t times, std::uint64_t peers,
                 const claimed_exchange& of) {
  if (!of.way.ends_with(staged_suffix)) {
    said.signal_writes += times * peers;
    return;
  }
  // One write into the local word, and a copy of it to every peer.
  said.signal_writes += times;
  said.peer_copies.count += times * peers;
  said.peer_copies.bytes += times * peers * sizeof(std::uint64_t);
}

/// Signals to every peer, `times` in an exchange.
void add_signals(traces::claim& said, std::uint64_t times, const claimed_exchange& of) {
  add_signals(said, times, facts_of(of).peers, of);
}

/// With a handshake for the targets, of epochs.
traces::claim signals(const exchange_facts& facts, const claimed_exchange& of) {
  traces::claim said;
  add_signals(said, 2, of);
  said.signal_waits = facts.peers + facts.peers_sent_to;
  return said;
}

void add_copies(traces::claim& said, const exchange_facts& facts) {
  said.peer_copies_on_copy_engine = true;
  said.peer_copies.count += facts.to_peers.count;
  said.peer_copies.bytes += facts.to_peers.bytes;
  said.local_copies = facts.own;
}

}  // namespace

traces::claim copy_engine_claim(const claimed_exchange& of) {
  const exchange_facts facts = facts_of(of);
  traces::claim said = signals(facts, of);
  add_copies(said, facts);
  return said;
}

traces::claim copy_engine_paced_claim(const claimed_exchange& of) {
  const exchange_facts facts = facts_of(of);
  traces::claim said = copy_engine_claim(of);
  if (facts.peers < 2) return said;
  const std::uint64_t steps = facts.submits * facts.peers;
  add_signals(said, steps, 1, of);
  said.signal_waits += steps;
  return said;
}

traces::claim copy_engine_per_tensor_claim(const claimed_exchange& of) {
  const exchange_facts facts = facts_of(of);
  traces::claim said = copy_engine_claim(of);
  const std::uint64_t more_tensors = of.specs.size() - 1;
  add_signals(said, more_tensors, of);
  said.signal_waits += more_tensors * facts.peers;
  return said;
}

traces::claim copy_engine_own_kernel_claim(const claimed_exchange& of) {
  traces::claim said = copy_engine_claim(of);
  said.local_copies = {};
  said.kernels = {{"own_chunk_kernel", facts_of(of).submits_kept}};
  return said;
}

traces::claim copy_engine_packed_claim(const claimed_exchange& of) {
  traces::claim said = copy_engine_claim(of);
  said.kernels = {{"pack_kernel", facts_of(of).submits_sent_to_peers}};
  return said;
}

traces::claim copy_engine_barrier_claim(const claimed_exchange& of) {
  const std::uint64_t peers = facts_of(of).peers;
  traces::claim said = copy_engine_claim(of);
  said.signal_writes -= peers;
  said.signal_waits -= peers;
  said.kernels = {{"signal_kernel", 1}, {"await_kernel", 1}};
  return said;
}

traces::claim copy_engine_arrival_claim(const claimed_exchange& of) {
  const exchange_facts facts = facts_of(of);
  traces::claim said;
  add_signals(said, 1, of);
  said.signal_waits = facts.peers;
  add_copies(said, facts);
  return said;
}

traces::claim copy_engine_flags_claim(const claimed_exchange& of) {
  const exchange_facts facts = facts_of(of);
  traces::claim said;
  add_signals(said, 2, of);
  said.signal_writes += 2 * facts.peers;  // flags taken down
  said.signal_waits = 2 * facts.peers;
  add_copies(said, facts);
  return said;
}

traces::claim push_each_claim(const claimed_exchange& of, const char* kernel) {
  const exchange_facts facts = facts_of(of);
  traces::claim said = signals(facts, of);
  said.kernels = {{kernel, facts.submits_sent_to_peers}};
  said.local_copies = facts.own;
  return said;
}

traces::claim push_exchange_claim(const claimed_exchange& of) {
  traces::claim said;
  said.kernels = {{"push_exchange_kernel", 1}};
  add_signals(said, 1, of);  // the others are the kernel's own
  return said;
}

}  // namespace ithaca::bench
