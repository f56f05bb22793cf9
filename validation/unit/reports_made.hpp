#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/metrics.hpp"
#include "reports/report.hpp"
#include "reports/sample_matrix.hpp"
#include "reports/statistics.hpp"

namespace ithaca::reports {

/// One arm's rounds, each of one sample, in nanoseconds.
struct arm_rounds {
  std::string arm;
  std::vector<std::int64_t> rounds_ns;
};

// Rounds of about 100 us, the same in another order, and rounds of about half that.
inline const std::vector<std::int64_t> hundred = {100'000, 101'000, 99'000, 100'500, 99'500};
inline const std::vector<std::int64_t> hundred_again = {100'500, 100'000, 99'500, 101'000, 99'000};
inline const std::vector<std::int64_t> fifty = {50'000, 50'500, 49'500, 50'200, 49'900};

inline sample_matrix samples_of(const std::vector<std::int64_t>& rounds_ns) {
  sample_matrix samples;
  for (const std::int64_t each : rounds_ns) samples.add_round({each});
  return samples;
}

/// A measured cell of a scatter of 1 MiB a peer, with the metrics that a run would give it beside
/// `reference`.
inline cell measured_cell(cell_key key, const std::vector<std::int64_t>& rounds_ns,
                          const std::vector<std::int64_t>& reference_ns) {
  cell made;
  made.key = std::move(key);
  made.status = cell_status::measured;
  made.samples = samples_of(rounds_ns);
  cell_inputs inputs;
  inputs.samples = made.samples;
  inputs.reference = samples_of(reference_ns);
  inputs.degree = made.key.degree;
  inputs.exchanges_per_sample = 1;
  inputs.peer_bytes = 1 << 20;
  inputs.source_bytes = 2 << 20;
  made.metrics = compute_metrics(inputs);
  return made;
}

/// A report of one scenario whose reference is the first arm, and which is called "cuda".
inline report made_report(const std::vector<arm_rounds>& arms, const std::string& shape = "a") {
  report made;
  made.machine.device = "cuda";
  made.machine.cpu_model = "a CPU";
  made.run = {.command = "scatter",
              .git_revision = "0123abc",
              .started_at = "2026-08-06T09:30:00Z",
              .complete = true,
              .ranks = 2,
              .reference_arm = arms.front().arm,
              .noise_floor_arm = arms.front().arm + "-again"};
  for (const arm_rounds& each : arms) {
    made.cells.push_back(
        measured_cell({"scatter", "cuda", shape, "bf16", 2, "exchange", each.arm, "isolated"},
                      each.rounds_ns, arms.front().rounds_ns));
  }
  return made;
}

}  // namespace ithaca::reports
