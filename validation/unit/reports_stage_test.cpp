#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>

#include "reports/stage_table.hpp"
#include "validation/unit/reports_example.hpp"

namespace ithaca::reports {
namespace {

using testing::HasSubstr;
using testing::Not;

cell stage_cell(std::string schedule, std::string arm, double time_us,
                std::string_view mode = isolated_mode) {
  cell made;
  made.key = {"stage",        "cuda",           "minimax", "bf16", 2, std::move(schedule),
              std::move(arm), std::string(mode)};
  made.status = cell_status::measured;
  made.samples = one_launch({{1'000'000}});
  made.metrics = {{"time_us", {time_us, "us"}},
                  {"time_p5_us", {time_us - 1, "us"}},
                  {"time_p95_us", {time_us + 1, "us"}}};
  return made;
}

report stage_report() {
  report of;
  of.machine.device = "cuda";
  of.run.command = "stage";
  of.run.complete = true;
  of.run.reference_arm = "nccl";
  of.run.noise_floor_arm = "nccl-again";
  cell slow = stage_cell("sequential", "nccl", 2040);
  slow.metrics["over_compute"] = {1.4196, "ratio"};
  slow.overlap = example_overlap();
  slow.overlap->hidden_ns = 0;
  slow.overlap->communication_slowdown.reset();
  slow.overlap->ideal_share = -0.125;
  slow.overlap->tags = {{"grouped", {280'000, 0, 0, {}}}};
  cell quick = stage_cell("v-first", "copy-engine", 1643);
  quick.metrics["over_compute"] = {1.143, "ratio"};
  quick.metrics["speedup"] = {1.24, "ratio", interval{1.23, 1.25}};
  quick.overlap = example_overlap();
  cell parts = stage_cell("chunked", "copy-engine", 1559);
  parts.overlap = example_overlap();
  parts.overlap->tags = {{"v.0", {90'000, 80'000, 1, {{"norm_rope_kernel", 80'000}}}},
                         {"v.1", {90'000, 60'000, 1, {{"norm_rope_kernel", 50'000}}}},
                         {"vx", {90'000, 60'000, 1, {{"norm_rope_kernel", 60'000}}}}};
  parts.overlap->compute_slowdown.reset();
  parts.overlap->communication_slowdown.reset();
  cell again = stage_cell("sequential", "nccl-again", 2041);
  again.metrics["speedup"] = {1.0, "ratio", interval{0.99, 1.01}};
  cell computing = stage_cell("sequential", "none", 1437, compute_only_mode);
  computing.overlap = overlap_figures{.stage_ns = 1'437'000, .compute_ns = 1'430'000};
  computing.overlap->exposed_ns = 7'000;
  const cell moving = stage_cell("sequential", "copy-engine", 286, communication_only_mode);
  cell skipped;
  skipped.key = quick.key;
  skipped.key.arm = "mpi";
  skipped.status = cell_status::skipped;
  skipped.reason = "this MPI can't read device memory";
  cell refuted = stage_cell("head-chunks", "nccl", 9);
  refuted.refute("rank 1 ran another kernel");
  of.cells = {slow, skipped, quick, parts, again, computing, moving, refuted};
  return of;
}

TEST(stage_table, shows_the_cells_of_a_scenario_quickest_first) {
  EXPECT_EQ(
      stage_table(stage_report()),
      R"(Times of a stage; x compute: over the quickest computation alone. Of the traced pass, in us: exposed (the stage but for
its computation), hidden % of the communication, V by norm (V's copies beside QK norm + RoPE).

stage  minimax  bf16  U2
  schedule    arm                time us       p5..p95  x compute     speedup [95 %]  exposed  hidden %  V by norm
  sequential  copy-engine alone    286.0  285.0..287.0          -                  -        -         -          -
  sequential  compute only          1437    1436..1438          -                  -     7.00         -          -
  chunked     copy-engine           1559    1558..1560          -                  -    190.0      52.6      130.0
  v-first     copy-engine           1643    1642..1644      1.143  1.24 [1.23, 1.25]    190.0      52.6      150.0
  sequential  nccl                  2040    2039..2041      1.420          reference    190.0       0.0          -
  sequential  nccl-again (A/A)      2041    2040..2042          -  1.00 [0.99, 1.01]        -         -          -
  best: copy-engine by chunked 1559 us; nccl by sequential 2040 us
  against its parts alone, in the traced pass:
  schedule    arm          computation x  communication x  of ideal gain %
  v-first     copy-engine           1.01             1.25               50
  sequential  nccl                  1.01                -              -12
  v-first mpi: skipped: this MPI can't read device memory
  head-chunks nccl: refuted: rank 1 ran another kernel
)");
}

TEST(stage_table, keeps_scenarios_apart) {
  report of = stage_report();
  cell other = stage_cell("v-first", "nccl", 5);
  other.key.degree = 4;
  of.cells.insert(of.cells.begin() + 1, other);
  const std::string text = stage_table(of);
  EXPECT_THAT(text, HasSubstr("stage  minimax  bf16  U2\n"));
  EXPECT_THAT(text, HasSubstr("\n\nstage  minimax  bf16  U4\n"));
  EXPECT_THAT(text, HasSubstr("best: nccl by v-first 5.00 us"));
}

TEST(stage_table, marks_what_is_simulated_or_of_the_host) {
  report of = stage_report();
  of.machine.device = "sim";
  of.run.note = note_on_times("sim");
  for (cell& each : of.cells) each.key.device = "sim";
  const std::string text = stage_table(of);
  EXPECT_THAT(text, testing::StartsWith("Simulated: every time"));
  EXPECT_THAT(text, HasSubstr("\nSimulated times of a stage"));
  EXPECT_THAT(text, HasSubstr("U2  simulated\n"));
  of.run.complete = false;
  EXPECT_THAT(stage_table(of), HasSubstr("The run is not complete."));
}

TEST(stage_table, says_only_why_where_nothing_was_measured) {
  report of = stage_report();
  of.cells = {of.cells[1]};
  const std::string text = stage_table(of);
  EXPECT_THAT(text,
              testing::EndsWith("stage  minimax  bf16  U2\n"
                                "  v-first mpi: skipped: this MPI can't read device memory\n"));
  of.cells.clear();
  EXPECT_EQ(stage_table(of), "");
}

TEST(stage_table, stays_within_160_columns) {
  report wide = stage_report();
  for (cell& each : wide.cells) {
    each.key.arm += "-with-a-very-long-name-of-its-own";
    each.key.schedule += "-with-eight-chunks-that-shrink";
    for (auto& [name, value] : each.metrics) {
      value.value = 1234567.8;
      if (value.ci95) value.ci95 = interval{101.25, 102.75};
    }
    if (each.metrics.contains("speedup")) each.metrics["speedup"].value = 102;
    if (each.metrics.contains("over_compute")) each.metrics["over_compute"].value = 12.5;
  }
  std::istringstream lines(stage_table(wide));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 160u) << line;
}

TEST(stage_table, bears_a_cell_without_a_time) {
  report of = stage_report();
  of.cells[0].metrics.erase("time_us");
  const std::string text = stage_table(of);
  EXPECT_LT(text.find("sequential  nccl-again"), text.find("sequential  nccl  "));
  EXPECT_THAT(text, Not(HasSubstr("inf")));
}

}  // namespace
}  // namespace ithaca::reports
