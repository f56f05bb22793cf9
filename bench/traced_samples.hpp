#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/prepared_scenario.hpp"
#include "bench/ulysses_site.hpp"
#include "reports/operation_counts.hpp"
#include "reports/overlap_figures.hpp"
#include "traces/timeline_record.hpp"

namespace ithaca::bench {

/// What a few samples showed under a profiler, the same on every rank.
struct traced_samples {
  std::string failure;               ///< why the claim was not judged; empty if it was
  std::string refutation;            ///< what the claim says otherwise; empty if it holds
  reports::operation_counts counts;  ///< of one sample, over the ranks of this rank's group
  /// Of the run in the middle, on the rank that waited longest; where samples have operations that
  /// hold the whole of them (stages).
  std::optional<reports::overlap_figures> overlap;
  std::vector<traces::timeline_record> records;  ///< of all ranks; on rank 0 only
};

/// Takes samples of `who` in `mode` and judges its claim, rank by rank. `scope` names them in a
/// trace. Counts up `iteration`. Collective over the world.
traced_samples trace_samples(group& world, ulysses_site& site, prepared_scenario& ready,
                             contender& who, exchange_mode mode, const std::string& scope,
                             std::uint64_t& iteration);

/// Waits for the streams of its exchanger.
void finish(const group& world, contender& who);

}  // namespace ithaca::bench
