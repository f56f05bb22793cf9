#include "bench/exchange_facts.hpp"

#include <algorithm>
#include <set>

namespace ithaca::bench {
namespace {

std::vector<pitched_copy> copies_of(const tensor_geometry& tensor, int rank, const slice& part) {
  return plan_exchange(tensor, rank, part, tensor.contiguous_source(rank));
}

/// Whether any rank's part of a submit brings `rank` bytes. A whole tensor is whole on every rank.
bool is_received(const tensor_geometry& tensor, int rank, const slice& part, bool whole) {
  if (whole) return tensor.target_bytes(rank) > 0;
  for (int from = 0; from < tensor.layout.degree(); ++from) {
    const auto copies = copies_of(tensor, from, part);
    if (std::ranges::find(copies, rank, &pitched_copy::peer) != copies.end()) return true;
  }
  return false;
}

}  // namespace

exchange_facts facts_of(std::span<const tensor_spec> specs, int rank,
                        std::span<const submitted_parts> parts) {
  exchange_facts facts;
  std::set<int> peers;
  for (std::size_t index = 0; index < specs.size(); ++index) {
    const tensor_geometry& tensor = specs[index].geometry;
    facts.peers = static_cast<std::uint64_t>(tensor.layout.degree() - 1);
    const slice whole = tensor.whole_source(rank);
    for (const slice& part : parts.empty() ? submitted_parts{whole} : parts[index]) {
      const auto copies = copies_of(tensor, rank, part);
      for (const pitched_copy& copy : copies) {
        if (copy.peer == rank && specs[index].own == own_chunk::produced) continue;
        traces::copy_totals& totals = copy.peer == rank ? facts.own : facts.to_peers;
        ++totals.count;
        totals.bytes += copy.bytes();
        if (copy.peer != rank) peers.insert(copy.peer);
      }
      const auto goes_out = [rank](const pitched_copy& copy) { return copy.peer != rank; };
      const auto is_kept = [&](const pitched_copy& copy) {
        return copy.peer == rank && specs[index].own == own_chunk::copied;
      };
      ++facts.submits;
      if (std::ranges::any_of(copies, is_kept)) ++facts.submits_kept;
      if (!copies.empty()) ++facts.submits_sent;
      if (std::ranges::any_of(copies, goes_out)) ++facts.submits_sent_to_peers;
      if (is_received(tensor, rank, part, part == whole)) ++facts.submits_received;
    }
  }
  facts.peers_sent_to = peers.size();
  return facts;
}

}  // namespace ithaca::bench
