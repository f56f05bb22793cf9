#pragma once

#include <cstdint>
#include <optional>

#include "backend/device.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "bench/sampler.hpp"
#include "bench/start_gate.hpp"
#include "bench/workload.hpp"

namespace ithaca::bench {

/// Takes samples of one exchanger, isolated or pipelined.
class exchange_sampler final : public sampler {
 public:
  /// All outlive the sampler.
  exchange_sampler(group& world, group& ulysses, device& on, start_gate& gate, exchanger& arm,
                   workload& load);

  sample take(exchange_mode mode, std::uint64_t iteration) override;
  void warm_up(std::uint64_t iteration) override;
  /// What the checks of one exchange cost on an idle device, the largest of all ranks.
  std::int64_t checker_ns(std::uint64_t iteration);

  std::optional<std::int64_t> first_exchange_ns() const override { return first_exchange_ns_; }
  std::uint64_t allocations() const override { return allocations_; }
  std::uint64_t collectives() const override { return collectives_; }

 private:
  /// One exchange behind a closed gate; what a bare exchanger leaves to its caller lies outside.
  sample isolated(std::uint64_t iteration);
  /// `load.window()` + 1 exchanges back to back behind a closed gate, each checked on the stream
  /// right behind its wait; `elapsed_ns` is that of all of them.
  sample pipelined(std::uint64_t iteration);
  /// What a bare exchanger does before the clock starts, and after it stops.
  void stage();
  void unstage();
  /// Enqueues submits and waits; returns the host time of the submits.
  std::int64_t exchange(std::int64_t shift);
  void check(std::int64_t shift, std::uint64_t iteration);
  void release();
  void finish();

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
