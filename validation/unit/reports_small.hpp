#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "reports/metrics.hpp"
#include "reports/report.hpp"
#include "reports/statistics.hpp"

namespace ithaca::reports {

/// A launch of two arms and the reference twice, on two GPUs, whose cells differ by what is asked.
struct small_launch {
  std::uint64_t seed = 1;
  int rounds = 10;
  std::vector<std::string> shapes = {"shape"};
  std::map<std::string, double> time_us = {
      {"nccl", 200}, {"nccl-again", 200}, {"copy-engine", 100}, {"push", 150}};
  /// Standard deviation of a round, as a share of its time.
  double noise = 0.001;
  /// By which everything takes longer: what launches differ by without a ratio's changing.
  double slowness = 1;
};

inline cell small_cell(const std::string& shape, const std::string& arm) {
  cell made;
  made.key = {"scatter", "cuda", shape, "bf16", 2, "exchange", arm, "isolated"};
  made.status = cell_status::measured;
  made.counts = {.kernels = {{"pack_kernel", 2}}, .peer_copies = 6, .peer_bytes = 1 << 20};
  made.checked = {.exchanges = 10, .bytes = 1000};
  return made;
}

/// The metrics of all its cells, from their samples.
inline void compute_small_metrics(report& of) {
  for (cell& each : of.cells) {
    if (each.status != cell_status::measured) continue;
    cell_inputs inputs;
    inputs.samples = each.samples;
    inputs.degree = 2;
    inputs.peer_bytes = 1 << 20;
    inputs.source_bytes = 2 << 20;
    inputs.memory_bytes = 3 << 20;
    inputs.seed = of.run.seed;
    inputs.comparisons = of.cells.size();
    for (const cell& other : of.cells) {
      if (other.key.same_scenario(each.key) && other.key.arm == of.run.reference_arm &&
          !other.samples.empty()) {
        inputs.reference = other.samples;
      }
    }
    each.metrics = compute_metrics(inputs);
  }
}

/// The same launch for the same description, whatever the platform.
inline report small_report(const small_launch& what = {}) {
  report made;
  made.machine = {.device = "cuda",
                  .gpus = {{0, 0, "GPU-aa", "NVIDIA H200", 0}, {1, 1, "GPU-bb", "NVIDIA H200", 0}},
                  .paths = {{0, 1, "NV18"}, {1, 0, "NV18"}},
                  .cpu_model = "a CPU",
                  .ranks = {{0, 1, {0}}, {1, 1, {0}}},
                  .driver = "580.159",
                  .nccl = "2.28.9"};
  made.run = {.command = "scatter",
              .arguments = {"scatter", "--seed", std::to_string(what.seed)},
              .seed = what.seed,
              .git_revision = "0123abc",
              .started_at = "2026-08-06T09:30:00Z",
              .complete = true,
              .ranks = 2,
              .reference_arm = "nccl",
              .noise_floor_arm = "nccl-again"};
  std::mt19937_64 engine(what.seed);
  const auto normal = [&] {
    // Twelve uniform numbers, less their mean: near enough to normal, and the same everywhere.
    double sum = -6;
    for (int count = 0; count < 12; ++count) {
      sum += static_cast<double>(draw_below(1'000'001, engine)) / 1'000'000;
    }
    return sum;
  };
  for (const std::string& shape : what.shapes) {
    for (const auto& [arm, time_us] : what.time_us) {
      cell& each = made.cells.emplace_back(small_cell(shape, arm));
      for (int round = 0; round < what.rounds; ++round) {
        const double ns = time_us * 1000 * what.slowness * std::exp(what.noise * normal());
        each.samples.add_round({std::llround(ns), std::llround(ns), std::llround(ns)});
      }
    }
  }
  compute_small_metrics(made);
  return made;
}

}  // namespace ithaca::reports
