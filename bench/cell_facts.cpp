#include "bench/cell_facts.hpp"

#include <algorithm>
#include <cstdint>

namespace ithaca::bench {
namespace {

std::uint64_t largest(group& world, std::size_t mine) {
  return static_cast<std::uint64_t>(world.maximum(static_cast<std::int64_t>(mine)));
}

}  // namespace

reports::cell_inputs cell_facts(std::span<const tensor_spec> specs, contender& who, group& world) {
  reports::cell_inputs facts;
  facts.degree = specs.front().geometry.layout.degree();
  facts.memory_bytes = largest(world, who.transport().memory_bytes());
  facts.padding_bytes = largest(world, who.transport().padding_bytes());
  facts.prepare_ns = who.prepare_ns();
  facts.first_exchange_ns = who.samples().first_exchange_ns();
  for (int rank = 0; rank < facts.degree; ++rank) {
    std::uint64_t peer_bytes = 0, source_bytes = 0;
    for (const tensor_spec& spec : specs) {
      peer_bytes += spec.geometry.peer_bytes(rank);
      source_bytes += spec.geometry.source_bytes(rank);
    }
    facts.peer_bytes = std::max(facts.peer_bytes, peer_bytes);
    facts.source_bytes = std::max(facts.source_bytes, source_bytes);
  }
  return facts;
}

}  // namespace ithaca::bench
