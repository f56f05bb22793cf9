#pragma once

#include <functional>
#include <optional>
#include <string>

#include "backend/device.hpp"
#include "backend/group.hpp"
#include "bench/clock_settling.hpp"
#include "bench/scenario.hpp"
#include "reports/telemetry.hpp"
#include "traces/gpu_reading.hpp"

namespace ithaca::bench {

/// Reads every rank's GPU once a round and keeps what the report says of it, the same on every
/// rank. Where no GPU can be read, the calls do nothing and cost nothing.
class telemetry {
 public:
  /// Reads this rank's GPU; empty if it can't be read, which `why_not` then explains.
  using reader = std::function<traces::gpu_reading()>;

  /// Collective. Reads `on` with NVML.
  telemetry(group& world, const device& on);
  /// Collective.
  telemetry(group& world, reader read, const std::string& why_not);

  /// Runs `exchange` until the clocks have settled; does nothing after the first time. Collective,
  /// and so is `exchange`.
  void settle_clocks_once(const std::function<void()>& exchange, settling how = {});
  /// The rounds that follow are those of `what`. Call it right before the first.
  void begin_scenario(const scenario& what);
  /// Reads all GPUs. Collective.
  void end_round();

  const reports::telemetry& so_far() const { return so_far_; }

 private:
  group& world_;
  reader read_;
  bool anyone_reads_ = false;
  bool watched_clocks_ = false;
  traces::gpu_reading before_;
  reports::telemetry so_far_;
};

}  // namespace ithaca::bench
