#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "backend/group.hpp"
#include "bench/sampler.hpp"
#include "bench/stage/schedule.hpp"
#include "bench/stage/stage_run.hpp"
#include "bench/stage/stage_workload.hpp"
#include "bench/start_gate.hpp"

namespace ithaca::bench {

/// Takes samples of one stage: from the gate until attention could start on this rank. Isolated is
/// the whole of it; without computation, the sources have been computed before the gate opens.
class stage_sampler final : public sampler {
 public:
  /// All outlive the sampler. `exchanges`: whether the exchanger brings anything.
  stage_sampler(group& world, group& ulysses, start_gate& gate, exchanger& transport,
                stage_workload& load, chosen_schedule by, bool exchanges);

  sample take(exchange_mode mode, std::uint64_t iteration) override;
  void warm_up(std::uint64_t iteration) override;
  operation_range last_operations() const override { return operations_; }
  std::uint64_t allocations() const override { return allocations_; }
  std::uint64_t collectives() const override { return collectives_; }

 private:
  /// Enqueues `side` of a stage, and waits for what it brings; returns the host time of the
  /// submits.
  std::int64_t enqueue(stage_run& stage, stage_side side);
  /// Checks what arrived, poisons and releases it.
  void conclude(std::int64_t shift);
  void finish();

  group& world_;
  group& ulysses_;
  start_gate& gate_;
  exchanger& transport_;
  stage_workload& load_;
  chosen_schedule by_;
  bool exchanges_;
  std::unique_ptr<event> begin_;
  std::unique_ptr<event> end_;
  std::vector<target_view> arrived_;  // by part, then tensor
  operation_range operations_;
  std::uint64_t allocations_ = 0;
  std::uint64_t collectives_ = 0;
};

}  // namespace ithaca::bench
