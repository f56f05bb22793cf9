#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "backend/group.hpp"
#include "bench/interference/beside.hpp"
#include "bench/sampler.hpp"
#include "bench/stage/stage_workload.hpp"
#include "bench/start_gate.hpp"

namespace ithaca::bench {

/// How often a sample repeats what it times; the same on every rank.
struct repetitions {
  std::int64_t computations = 1;
  std::int64_t exchanges = 1;
};

/// Takes samples of computations and exchanges that run beside each other on two streams.
///
/// `isolated` times the computations while exchanges follow each other without a break, and
/// `exchange_beside` the exchanges while computations do; `compute_only` and `communication_only`
/// time each alone. What is not timed goes on until the other has ended. Exchanges move the same
/// tensors again and again; each sample's last one is checked.
class interference_sampler final : public sampler {
 public:
  /// All outlive the sampler. `computations`: how many a sample times, 0 until the first sampler
  /// has found out; all that compute the same share it. `exchanges`: whether the exchanger brings
  /// anything.
  interference_sampler(group& world, group& ulysses, start_gate& gate, exchanger& transport,
                       stage_workload& load, beside what, std::int64_t& computations,
                       bool exchanges);

  sample take(exchange_mode mode, std::uint64_t iteration) override;
  /// The first time also finds out how often to repeat.
  void warm_up(std::uint64_t iteration) override;
  operation_range last_operations() const override { return operations_; }
  std::uint64_t allocations() const override { return allocations_; }
  std::uint64_t collectives() const override { return collectives_; }

  /// What a sample times.
  repetitions timed() const { return timed_; }
  /// The exchanges of a sample, timed or not.
  std::int64_t exchanges_in(exchange_mode mode) const;

 private:
  /// Both streams, one behind the gate and the other behind the first.
  sample run(exchange_mode mode, std::int64_t computations, std::int64_t exchanges, bool gated);
  void compute(std::int64_t times);
  /// Returns the host time of one exchange's submits. The last one's targets are not released.
  std::int64_t exchange(std::int64_t times);
  /// Checks what the last exchange brought, poisons and releases it.
  void conclude();
  void finish();
  void choose_repetitions();

  group& world_;
  group& ulysses_;
  start_gate& gate_;
  exchanger& transport_;
  stage_workload& load_;
  beside what_;
  std::int64_t& computations_;
  bool exchanges_;
  std::unique_ptr<stream> exchange_stream_;
  std::unique_ptr<event> opened_;
  std::unique_ptr<event> begin_;
  std::unique_ptr<event> end_;
  std::unique_ptr<event> behind_exchanges_;
  std::array<target_view, all_qkv.size()> arrived_;
  bool chosen_ = false;
  repetitions timed_;
  repetitions beside_;  // of what is not timed
  std::uint64_t allocations_ = 0;
  std::uint64_t collectives_ = 0;
  operation_range operations_;
};

}  // namespace ithaca::bench
