#include "bench/exchange_facts.hpp"

#include <set>

namespace ithaca::bench {

exchange_facts facts_of(std::span<const tensor_spec> specs, int rank) {
  exchange_facts facts;
  std::set<int> peers;
  for (const tensor_spec& spec : specs) {
    const tensor_geometry& tensor = spec.geometry;
    facts.peers = static_cast<std::uint64_t>(tensor.layout.degree() - 1);
    const auto copies =
        plan_exchange(tensor, rank, tensor.whole_source(rank), tensor.contiguous_source(rank));
    for (const pitched_copy& copy : copies) {
      traces::copy_totals& totals = copy.peer == rank ? facts.own : facts.to_peers;
      ++totals.count;
      totals.bytes += copy.bytes();
      if (copy.peer != rank) peers.insert(copy.peer);
    }
    if (!copies.empty()) ++facts.tensors_sent;
    if (tensor.peer_bytes(rank) > 0) ++facts.tensors_sent_to_peers;
    if (tensor.target_bytes(rank) > 0) ++facts.tensors_received;
  }
  facts.peers_sent_to = peers.size();
  return facts;
}

}  // namespace ithaca::bench
