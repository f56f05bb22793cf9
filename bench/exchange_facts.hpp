#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/exchanger.hpp"
#include "traces/claim.hpp"

namespace ithaca::bench {

/// What one rank moves in one exchange, from which arms make their claims. A rank can have nothing
/// to send (fewer tokens than ranks), or nothing to receive.
struct exchange_facts {
  traces::copy_totals to_peers;
  traces::copy_totals own;                  ///< none of a tensor whose own chunk is produced
  std::uint64_t peers = 0;                  ///< other ranks of the group
  std::uint64_t peers_sent_to = 0;          ///< those that get any bytes
  std::uint64_t submits = 0;                ///< of all tensors
  std::uint64_t submits_sent = 0;           ///< of which this rank has any bytes
  std::uint64_t submits_sent_to_peers = 0;  ///< of which a peer gets any bytes
  std::uint64_t submits_kept = 0;           ///< of which this rank copies any bytes to itself
  std::uint64_t submits_received = 0;       ///< of which this rank gets any bytes
};

/// The slices that a tensor is submitted in, in order; every rank's have the same rows and heads,
/// unless they are whole tensors.
using submitted_parts = std::vector<slice>;

/// `parts`: by tensor; empty where each is submitted whole.
exchange_facts facts_of(std::span<const tensor_spec> specs, int rank,
                        std::span<const submitted_parts> parts = {});

}  // namespace ithaca::bench
