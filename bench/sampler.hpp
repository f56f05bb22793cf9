#pragma once

#include <cstdint>
#include <optional>

#include "bench/exchange_mode.hpp"

namespace ithaca::bench {

/// One timed iteration, as all ranks agreed on it.
struct sample {
  std::int64_t elapsed_ns = 0;  ///< from the gate to the end; the largest of all ranks
  std::int64_t submit_ns = 0;   ///< host time of the submits of one exchange, the largest
};

/// Operations by their numbers, both ends included.
struct operation_range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;  ///< before `first`: none
};

/// Takes samples of one contender. Every call is collective over the world.
///
/// Before a sample each rank has released targets that it poisoned, and made its sources afresh;
/// after it, all bytes that arrived are checked. What a sample times is enqueued before the gate
/// opens.
class sampler {
 public:
  virtual ~sampler() = default;

  /// One sample of that mode.
  virtual sample take(exchange_mode mode, std::uint64_t iteration) = 0;
  /// The like without the gate: loads code, opens connections. Counting begins anew.
  virtual void warm_up(std::uint64_t iteration) = 0;

  /// Host time of the first warm-up's exchange, from its submit until all has arrived; the largest
  /// of all ranks. Empty before, and where an exchange has no time of its own.
  virtual std::optional<std::int64_t> first_exchange_ns() const { return std::nullopt; }
  /// What the last sample's clock covered, if it was observed; empty where nobody asks.
  virtual operation_range last_operations() const { return {1, 0}; }
  /// Allocations and host collectives of this rank inside the samples since the last warm-up.
  virtual std::uint64_t allocations() const = 0;
  virtual std::uint64_t collectives() const = 0;
};

}  // namespace ithaca::bench
