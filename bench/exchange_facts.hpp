#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "backend/exchanger.hpp"
#include "traces/claim.hpp"

namespace ithaca::bench {

/// What one rank moves in one exchange of whole tensors, from which arms make their claims. A rank
/// can have nothing to send (fewer tokens than ranks), or nothing to receive.
struct exchange_facts {
  traces::copy_totals to_peers;
  traces::copy_totals own;
  std::uint64_t peers = 0;                  ///< other ranks of the group
  std::uint64_t peers_sent_to = 0;          ///< those that get any bytes
  std::uint64_t tensors_sent = 0;           ///< tensors of which this rank has any bytes
  std::uint64_t tensors_sent_to_peers = 0;  ///< tensors of which a peer gets any bytes
  std::uint64_t tensors_received = 0;       ///< tensors of which this rank gets any bytes
};

exchange_facts facts_of(std::span<const tensor_spec> specs, int rank);

}  // namespace ithaca::bench
