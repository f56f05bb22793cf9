#pragma once

#include <initializer_list>

#include "reports/report.hpp"

namespace ithaca::reports {

inline sample_matrix one_launch(std::initializer_list<sample_matrix::round> rounds) {
  sample_matrix samples;
  for (const sample_matrix::round& each : rounds) samples.add_round(each);
  return samples;
}

/// V first, on the slower rank.
inline overlap_figures example_overlap() {
  overlap_figures of{.rank = 1,
                     .stage_ns = 1'640'000,
                     .compute_ns = 1'450'000,
                     .communication_ns = 300'000,
                     .to_peers_ns = 280'000,
                     .within_rank_ns = 40'000,
                     .hidden_ns = 157'700,
                     .exposed_ns = 190'000};
  of.tags["v"] = {160'000, 157'700, 2, {{"matmul", 7'700}, {"norm_rope_kernel", 150'000}}};
  of.tags["q"] = {120'000, 0, 0, {}};
  of.compute_slowdown = 1.01;
  of.communication_slowdown = 1.25;
  of.ideal_share = 0.5;
  return of;
}

/// A report in which every optional field is set and every status occurs.
inline report example_report() {
  report made;
  made.machine = {.device = "cuda",
                  .gpus = {{0, 0, "GPU-aa", "NVIDIA H200", 1}, {1, 1, "GPU-bb", "NVIDIA H200"}},
                  .paths = {{0, 1, "NV18"}, {1, 0}},
                  .cpu_model = "a CPU",
                  .cpu_cores = 16,
                  .numa_nodes = 2,
                  .ranks = {{0, 8, {1}}, {1, 16, {0, 1}, 1}},
                  .limits = {1 << 30, 7.5, 64 << 20, 8 << 20, 1024},
                  .driver = "580.159",
                  .cuda_runtime = "13.0",
                  .nccl = "2.28.9",
                  .mpi_library = "Open MPI v4.1.4",
                  .environment = {{"CUDA_VISIBLE_DEVICES", "0,1"}}};
  made.run = {.command = "scatter",
              .arguments = {"--shapes", "flux.1-dev-1024"},
              .seed = 18446744073709551615ull,
              .git_revision = "0123abc",
              .started_at = "2026-08-06T09:30:00Z",
              .complete = true,
              .ranks = 2,
              .reference_arm = "nccl",
              .noise_floor_arm = "nccl-again"};
  made.links = {.ceilings = {{0, 1, 385.5}, {1, 0, 384.25}}, .handshake_us = 4.5};
  made.kernels = {{"copy", 536'870'912, 3300, 1}, {"pack_kernel", 203'685'888, 2970.5, 0.9}};

  scenario_telemetry rounds{"flux.1-dev-1024", "bf16", 2, "exchange"};
  rounds.sm_mhz = {{1980, 1965}, {1980, std::nullopt}};
  rounds.nvlink_sent_bytes = {{1 << 20, 1 << 21}, {1 << 20, 3ll << 40}};
  rounds.throttled = {{1, 0, {"power cap", "hardware thermal slowdown"}}};
  rounds.discarded_rounds = {{1, {"hardware thermal slowdown"}}};
  rounds.throttling_note = "the power cap is the state that was measured";
  rounds.sm_drift_mhz = -7.5;
  made.telemetry = {.not_readable = "rank 1: NVML does not know the GPU: Not Found",
                    .warm_up = clock_warm_up{true, 150},
                    .scenarios = {rounds}};

  cell measured;
  measured.key = {"scatter", "cuda", "flux.1-dev-1024", "bf16", 2, "exchange", "nccl", "isolated"};
  measured.status = cell_status::measured;
  measured.samples = one_launch({{100'000, 101'000}, {99'000, 100'500}});
  measured.metrics = {{"time_us", {100.25, "us", interval{99.75, 100.5}}},
                      {"time_p5_us", {99.5, "us"}},
                      {"time_p95_us", {101, "us"}},
                      {"goodput_gbps", {141.5, "GB/s", interval{141, 142}}},
                      {"ceiling_share", {0.368, "ratio", interval{0.367, 0.369}}},
                      {"algbw_gbps", {283, "GB/s"}},
                      {"busbw_gbps", {141.5, "GB/s"}},
                      {"submit_us", {11.5, "us"}},
                      {"memory_mib", {170, "MiB"}}};
  measured.counts = {.kernels = {{"pack", 2}, {"relayout", 2}},
                     .peer_copies = 3,
                     .peer_bytes = 4,
                     .local_copies = 5,
                     .signal_writes = 6,
                     .signal_waits = 7,
                     .allocations_after_warmup = 8,
                     .host_collectives_after_warmup = 9};
  measured.checked = {.exchanges = 4, .bytes = 1'000'000, .mismatched_bytes = 0};

  measured.overlap = example_overlap();

  cell faster = measured;
  faster.key.arm = "copy-engine";
  faster.metrics["speedup"] = {1.62, "ratio", interval{1.6, 1.64}};
  cell again = measured;
  again.key.arm = "nccl-again";
  again.overlap.reset();
  again.metrics["speedup"] = {1.0, "ratio", interval{0.99, 1.01}};
  cell skipped;
  skipped.key = measured.key;
  skipped.key.arm = "mpi";
  skipped.status = cell_status::skipped;
  skipped.reason = "this MPI can't read device memory";
  cell refuted = faster;
  refuted.key.arm = "nccl-zero-cta";
  refuted.refute("rank 1 ran the kernel ncclDevKernel_SendRecv");
  cell incomplete;
  incomplete.key = measured.key;
  incomplete.key.mode = "pipelined";
  incomplete.status = cell_status::incomplete;
  incomplete.reason = "the run was ended in round 2";
  incomplete.samples = one_launch({{90'000, 91'000}});
  made.cells = {measured, faster, again, skipped, refuted, incomplete};
  return made;
}

}  // namespace ithaca::reports
