#include "backend/direct_exchanger.hpp"
#include "bench/arm.hpp"

namespace ithaca::bench {
namespace {

std::unique_ptr<exchanger> make(arm_site& site) {
  return std::make_unique<direct_exchanger>(site.ulysses, site.on);
}

/// Nothing but pitched copies and signals: to each peer one epoch for its data and one for the
/// released targets, and the waits for the peers' own two.
traces::claim claim(std::span<const tensor_spec> specs, int rank) {
  traces::claim said;
  said.peer_copies_on_copy_engine = true;
  std::uint64_t peers = 0;
  for (const tensor_spec& spec : specs) {
    const tensor_geometry& tensor = spec.geometry;
    peers = static_cast<std::uint64_t>(tensor.layout.degree() - 1);
    for (const pitched_copy& copy :
         plan_exchange(tensor, rank, tensor.whole_source(rank), tensor.contiguous_source(rank))) {
      traces::copy_totals& totals = copy.peer == rank ? said.local_copies : said.peer_copies;
      ++totals.count;
      totals.bytes += copy.bytes();
    }
  }
  said.signal_writes = 2 * peers;
  said.signal_waits = 2 * peers;
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
