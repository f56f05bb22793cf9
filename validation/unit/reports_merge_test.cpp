#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "reports/merged_report.hpp"
#include "reports/paired_cells.hpp"
#include "reports/report_file.hpp"
#include "reports/throttling.hpp"
#include "validation/unit/reports_small.hpp"

namespace ithaca::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<named_report> three_launches() {
  std::vector<named_report> launches;
  for (const std::uint64_t seed : {1, 2, 3}) {
    launches.push_back({"launch-" + std::to_string(seed), small_report({.seed = seed})});
  }
  return launches;
}

cell& arm(report& in, std::string_view name) {
  for (cell& each : in.cells) {
    if (each.key.arm == name) return each;
  }
  throw std::logic_error("no such arm");
}

std::string refusal(const std::vector<named_report>& launches) {
  try {
    merged_report(launches);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "merged";
}

TEST(merged_report, holds_the_samples_of_all_launches_behind_each_other) {
  const auto launches = three_launches();
  report merged = merged_report(launches);
  ASSERT_EQ(merged.cells.size(), launches.front().report.cells.size());
  const cell& copy_engine = arm(merged, "copy-engine");
  ASSERT_EQ(copy_engine.samples.launches().size(), 3u);
  EXPECT_EQ(copy_engine.samples.launches()[2],
            launches[2].report.cells.front().samples.launches().front());
  EXPECT_EQ(copy_engine.key, launches[2].report.cells.front().key);
  EXPECT_EQ(copy_engine.checked.exchanges, 30u);
  EXPECT_EQ(report_from_json(to_json(merged)), merged);
}

TEST(merged_report, computes_metrics_with_the_launch_as_a_factor) {
  auto launches = three_launches();
  // A launch that is 20 % slower throughout moves times, not ratios.
  launches[1].report = small_report({.seed = 2, .slowness = 1.2});
  report merged = merged_report(launches);
  const auto& metrics = arm(merged, "copy-engine").metrics;
  EXPECT_NEAR(metrics.at("speedup").value, 2, 0.002);
  EXPECT_LT(metrics.at("speedup").ci95->high / metrics.at("speedup").ci95->low, 1.003);
  EXPECT_NEAR(metrics.at("time_us").value, 320.0 / 3, 0.2);
  EXPECT_GT(metrics.at("time_us").ci95->high, 112);
  EXPECT_NEAR(metrics.at("goodput_gbps").value, (1 << 20) / metrics.at("time_us").value / 1000,
              1e-6);
  EXPECT_DOUBLE_EQ(metrics.at("memory_mib").value, 3);
  EXPECT_TRUE(metrics.contains("detectable_slowdown"));
  EXPECT_FALSE(metrics.contains("submit_us")) << "no launch has it";
}

TEST(merged_report, marks_a_cell_that_a_launch_lacks_or_did_not_measure) {
  auto launches = three_launches();
  std::erase_if(launches[1].report.cells, [](const cell& each) { return each.key.arm == "push"; });
  cell& skipped = arm(launches[2].report, "copy-engine");
  skipped = small_cell("shape", "copy-engine");
  skipped.status = cell_status::skipped;
  skipped.reason = "no path";
  report merged = merged_report(launches);
  EXPECT_EQ(arm(merged, "push").status, cell_status::incomplete);
  EXPECT_EQ(arm(merged, "push").reason, "launch-2 lacks it");
  EXPECT_EQ(arm(merged, "copy-engine").reason, "launch-3 says skipped: no path");
  EXPECT_EQ(arm(merged, "nccl").status, cell_status::measured);
  EXPECT_NO_THROW(to_json(merged));
}

TEST(merged_report, keeps_a_refutation_and_finds_other_counts) {
  auto launches = three_launches();
  arm(launches[1].report, "push").refute("it ran a kernel");
  arm(launches[2].report, "copy-engine").counts.peer_copies = 7;
  report merged = merged_report(launches);
  EXPECT_EQ(arm(merged, "push").status, cell_status::refuted);
  EXPECT_EQ(arm(merged, "push").reason, "launch-2 says refuted: it ran a kernel");
  EXPECT_EQ(arm(merged, "copy-engine").reason, "launch-1 and launch-3 count different operations");
}

TEST(merged_report, finds_another_way_but_not_another_reason_for_it) {
  auto launches = three_launches();
  for (named_report& each : launches) arm(each.report, "push").way = "copy-engine: above 1 MiB";
  arm(launches[1].report, "push").way = "copy-engine: above 2 MiB";
  report merged = merged_report(launches);
  EXPECT_EQ(arm(merged, "push").status, cell_status::measured);
  arm(launches[1].report, "push").way = "push-exchange: up to 2 MiB";
  merged = merged_report(launches);
  EXPECT_EQ(arm(merged, "push").reason, "launch-2 went another way than launch-1");
}

TEST(merged_report, discards_rounds_launch_by_launch) {
  auto launches = three_launches();
  for (std::size_t at = 0; at < launches.size(); ++at) {
    scenario_telemetry seen{"shape", "bf16", 2, "exchange"};
    seen.sm_mhz = {{1980, 1980}, {1900, 1900}};
    seen.throttled.emplace();
    // As reports had it before rounds were discarded: nobody decided yet.
    if (at == 1) seen.throttled->push_back({4, 1, {"power brake"}});
    launches[at].report.telemetry.scenarios = {seen};
  }
  report merged = merged_report(launches);
  const scenario_telemetry& seen = merged.telemetry.scenarios.front();
  EXPECT_THAT(discarded(seen), ElementsAre(14));
  EXPECT_EQ(seen.throttled->front().round, 14);
  EXPECT_EQ(seen.sm_mhz.size(), 30u);
  EXPECT_EQ(seen.sm_mhz[11].front(), 1900);
  // The metrics are those of 29 rounds; the samples are all there.
  EXPECT_EQ(arm(merged, "push").samples.round_count(), 30u);
  EXPECT_EQ(find_paired_cells(merged).front().ratios[1].size(), 9u);
}

TEST(merged_report, refuses_what_are_no_launches_of_one_run) {
  auto with = [](const std::function<void(report&)>& change) {
    auto launches = three_launches();
    change(launches[1].report);
    return refusal(launches);
  };
  EXPECT_EQ(with([](report& of) { of.machine.nccl = "2.32.3"; }),
            "launch-2 can't be merged with launch-1: its machine has NCCL 2.32.3 where 2.28.9 is "
            "expected");
  EXPECT_THAT(with([](report& of) { of.machine.gpus[1].name = "NVIDIA H100"; }),
              HasSubstr("has the GPUs NVIDIA H200, NVIDIA H100 where NVIDIA H200, NVIDIA H200"));
  EXPECT_THAT(with([](report& of) { of.machine.paths[0].link = "SYS"; }),
              HasSubstr("has the links SYS, NV18 where NV18, NV18"));
  EXPECT_THAT(with([](report& of) { of.machine.driver = "580.65"; }),
              HasSubstr("machine.driver is \"580.65\", but \"580.159\" in launch-1"));
  EXPECT_THAT(with([](report& of) { of.machine.cpu_model = "another"; }),
              HasSubstr("machine.cpu_model"));
  EXPECT_THAT(with([](report& of) { of.run.git_revision = "fedc"; }),
              HasSubstr("run.git_revision"));
  EXPECT_THAT(with([](report& of) { of.run.command = "gather"; }), HasSubstr("run.command"));
  EXPECT_THAT(with([](report& of) { of.run.reference_arm = "push"; }),
              HasSubstr("run.reference_arm"));
  EXPECT_THAT(with([](report& of) { of.run.arguments.push_back("--rounds=3"); }),
              HasSubstr("run.arguments is \"scatter --rounds=3\", but \"scatter\""));
  EXPECT_EQ(with([](report& of) {
              of.run.arguments = {"scatter", "--out=x", "--seed=9"};
            }),
            "merged");
  EXPECT_EQ(refusal({three_launches().front()}),
            "one report can't be merged: give those of at least two launches");
  auto twice = three_launches();
  twice[2].report = twice[0].report;
  EXPECT_EQ(refusal(twice), "launch-3 is the same launch as launch-1: give each once");
  auto again = three_launches();
  again.push_back({"merged", merged_report(again)});
  EXPECT_THAT(refusal(again), HasSubstr("merged: cells[0].samples_ns holds 3 launches"));
}

TEST(find_paired_cells, knows_what_a_ratio_was_computed_from) {
  report of = small_report();
  std::vector<std::string> pairs;
  for (const paired_cells& each : find_paired_cells(of)) {
    pairs.push_back(each.of->key.arm + " " + each.metric + " " + each.with->key.arm);
  }
  EXPECT_THAT(pairs, ElementsAre("copy-engine speedup nccl", "nccl speedup nccl",
                                 "nccl-again speedup nccl", "push speedup nccl"));
  of.cells.back().metrics.at("speedup").value *= 1.0001;
  try {
    find_paired_cells(of);
    FAIL() << "a ratio of no cells was believed";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("cells[3].metrics.speedup is not the ratio"));
  }
}

/// The recorded stages compare with three kinds of cells, and leave out no round.
TEST(merged_report, merges_the_recorded_launches_of_a_stage) {
#ifdef ITHACA_WITH_ZLIB
  const std::string folder = ITHACA_SOURCE_DIR "/reports/recorded/2026-11-30-h200-x2-stage/";
  std::vector<named_report> launches;
  for (const char* name : {"stage-1.json.gz", "stage-2.json.gz"}) {
    launches.push_back({name, read_report(folder + name)});
  }
  const report merged = merged_report(launches);
  int compared = 0;
  for (const cell& each : merged.cells) {
    if (each.status == cell_status::skipped) continue;
    EXPECT_EQ(each.status, cell_status::measured) << to_string(each.key) << *each.reason;
    if (each.metrics.contains("over_compute")) ++compared;
    EXPECT_EQ(each.samples.launches().size(), 2u);
    EXPECT_TRUE(each.metrics.contains("detectable_slowdown"));
  }
  EXPECT_GT(compared, 20);
  EXPECT_TRUE(merged.telemetry.scenarios.front().throttling_note);
#else
  GTEST_SKIP() << "this build has no zlib, and the recorded launches are packed";
#endif
}

}  // namespace
}  // namespace ithaca::reports
