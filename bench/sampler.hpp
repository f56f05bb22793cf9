#pragma once

#include <cstdint>
#include <optional>

#include "backend/device.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "backend/step.hpp"
#include "bench/start_gate.hpp"
#include "bench/workload.hpp"

namespace ithaca::bench {

/// One timed iteration, as all ranks agreed on it.
struct sample {
  std::int64_t elapsed_ns = 0;  ///< from the gate to the last wait; the largest of all ranks
  std::int64_t submit_ns = 0;   ///< host time of the submits of one exchange, the largest
};

/// Takes samples of one exchanger. Every call is collective over the world.
///
/// Before a sample each rank has released targets that it poisoned, and filled its sources
/// afresh; after it, all bytes that arrived are checked. What a sample times is enqueued before
/// the gate opens.
class sampler {
 public:
  /// All outlive the sampler.
  sampler(group& world, group& ulysses, device& on, start_gate& gate, exchanger& arm,
          workload& load);

  /// One exchange behind a closed gate; what a bare exchanger leaves to its caller lies outside.
  sample isolated(std::uint64_t iteration);
  /// `load.window()` + 1 exchanges back to back behind a closed gate, each checked on the stream
  /// right behind its wait; `elapsed_ns` is that of all of them.
  sample pipelined(std::uint64_t iteration);
  /// One exchange without the gate: loads code, opens connections. Counting begins anew.
  void warm_up(std::uint64_t iteration);
  /// What the checks of one exchange cost on an idle device, the largest of all ranks.
  std::int64_t checker_ns(std::uint64_t iteration);

  /// Host time of the first warm-up's exchange, from its submit until all has arrived; the largest
  /// of all ranks. Empty before.
  std::optional<std::int64_t> first_exchange_ns() const { return first_exchange_ns_; }
  /// Allocations and host collectives of this rank inside the exchanges since the last warm-up.
  std::uint64_t allocations() const { return allocations_; }
  std::uint64_t collectives() const { return collectives_; }

 private:
  /// What a bare exchanger does before the clock starts, and after it stops.
  void stage();
  void unstage();
  /// Enqueues submits and waits; returns the host time of the submits.
  std::int64_t exchange(std::int64_t shift);
  void check(std::int64_t shift, std::uint64_t iteration);
  void release();
  void finish();
  /// What a rank that gives up says of the exchange under way.
  step exchanging() const;

  group& world_;
  group& ulysses_;
  device& device_;
  start_gate& gate_;
  exchanger& arm_;
  workload& load_;
  std::unique_ptr<stream> compute_;
  std::unique_ptr<event> begin_;
  std::unique_ptr<event> end_;
  std::vector<target_view> arrived_;
  std::optional<std::int64_t> first_exchange_ns_;
  std::uint64_t allocations_ = 0;
  std::uint64_t collectives_ = 0;
};

}  // namespace ithaca::bench
