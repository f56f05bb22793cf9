#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "validation/unit/gate_fixture.hpp"

namespace ithaca::reports::gate {
namespace {

using testing::HasSubstr;

std::string said(const result& of) {
  std::string text;
  for (const finding& each : of.findings) {
    text += std::string(to_string(each.kind)) + ": " + (each.cell ? each.cell->arm + " " : "") +
            each.what + " " + each.message + "\n";
  }
  return text;
}

// ---- the four verdicts ------------------------------------------------------------------------

TEST(gate, passes_an_equal_run) {
  const result of = judged(fourth_launch());
  EXPECT_EQ(verdict_of(of), verdict::pass) << said(of);
  EXPECT_TRUE(of.findings.empty()) << said(of);
  // The copy engine and push beside the reference; the reference again is the noise floor.
  EXPECT_EQ(of.comparisons.size(), 2u);
  EXPECT_EQ(of.noise_floors.size(), 1u);
  EXPECT_EQ(of.counts_compared, 4u * 8);
}

TEST(gate, fails_where_the_whole_interval_lies_beyond_the_margin) {
  const result of = judged(fourth_launch(1.05));
  EXPECT_EQ(verdict_of(of), verdict::fail) << said(of);
  ASSERT_EQ(of.findings.size(), 1u) << said(of);
  EXPECT_EQ(of.findings.front().cell->arm, "copy-engine");
  EXPECT_THAT(of.findings.front().message, HasSubstr("slower by +5.0 %"));
}

TEST(gate, is_ambiguous_where_the_interval_straddles_the_margin) {
  const result of = judged(fourth_launch(1.025));
  EXPECT_EQ(verdict_of(of), verdict::ambiguous) << said(of);
  EXPECT_EQ(exit_code(verdict_of(of)), 4);
}

TEST(gate, passes_what_is_within_the_margin) {
  EXPECT_EQ(verdict_of(judged(fourth_launch(1.015))), verdict::pass);
}

TEST(gate, names_an_improvement_and_never_fails_for_it) {
  const result of = judged(fourth_launch(0.8));
  EXPECT_EQ(verdict_of(of), verdict::pass);
  ASSERT_EQ(of.findings.size(), 1u) << said(of);
  EXPECT_EQ(of.findings.front().kind, finding_kind::improved);
  EXPECT_THAT(of.findings.front().message, HasSubstr("quicker: -20.0 %"));
}

TEST(gate, has_an_exit_code_for_each_verdict) {
  EXPECT_EQ(exit_code(verdict::pass), 0);
  EXPECT_EQ(exit_code(verdict::fail), 1);
  EXPECT_EQ(exit_code(verdict::invalid), 2);
  EXPECT_EQ(exit_code(verdict::ambiguous), 4);
}

// ---- counts -----------------------------------------------------------------------------------

TEST(gate, fails_for_one_operation_more_and_names_one_less) {
  report more = fourth_launch();
  arm_of(more, "push").counts.kernels["pack_kernel"] = 3;
  EXPECT_EQ(verdict_of(judged(more)), verdict::fail);
  EXPECT_THAT(said(judged(more)), HasSubstr("push kernels.pack_kernel 3 where 2 are expected"));
  report foreign = fourth_launch();
  arm_of(foreign, "push").counts.kernels["other_kernel"] = 1;
  EXPECT_EQ(verdict_of(judged(foreign)), verdict::fail);
  report fewer = fourth_launch();
  arm_of(fewer, "push").counts.peer_copies = 5;
  EXPECT_EQ(verdict_of(judged(fewer)), verdict::pass);
  EXPECT_THAT(said(judged(fewer)), HasSubstr("improved: push peer_copies 5 where 6"));
  report less = fourth_launch();
  --arm_of(less, "push").counts.peer_bytes;
  EXPECT_EQ(verdict_of(judged(less)), verdict::fail) << "what is lost is not saved";
}

TEST(gate, has_counts_alone_for_the_host) {
  auto launches = launches_of();
  report run = fourth_launch(1.5);
  const auto to_host = [](report& of) {
    of.machine = {};
    of.machine.device = "host";
    of.run.note = note_on_times("host");
    for (cell& each : of.cells) each.key.device = "host";
  };
  for (named_launch& each : launches) to_host(each.of.report);
  to_host(run);
  const baseline against = derive(launches, default_margins());
  EXPECT_EQ(metric_count(against), 0u);
  EXPECT_EQ(verdict_of(judged(run, against)), verdict::pass) << "its times say nothing";
  EXPECT_EQ(verdict_of(judged(run, against, {.absolute = true})), verdict::invalid);
  run.machine.cpu_model = "another CPU";
  EXPECT_EQ(verdict_of(judged(run, against)), verdict::pass);
  ++run.cells.front().counts.host_collectives_after_warmup;
  EXPECT_EQ(verdict_of(judged(run, against)), verdict::fail);
}

// ---- what is invalid --------------------------------------------------------------------------

struct invalid_case {
  const char* name;
  std::function<void(report&)> change;
  const char* says;
};

class invalid_run : public testing::TestWithParam<invalid_case> {};

TEST_P(invalid_run, is_never_green) {
  // As slow as can be, too: what can't be trusted is no failure either.
  for (const double slowness : {1.0, 1.5}) {
    report run = fourth_launch(slowness);
    GetParam().change(run);
    const result of = judged(run);
    EXPECT_EQ(verdict_of(of), verdict::invalid) << said(of);
    EXPECT_THAT(said(of), HasSubstr(GetParam().says));
  }
}

void rename_metric(report& of) {
  auto& metrics = arm_of(of, "push").metrics;
  metrics["speed_up"] = metrics.at("speedup");
  metrics.erase("speedup");
}

void tilt_noise_floor(report& of) {
  small_launch tilted{.seed = 4};
  tilted.time_us["nccl-again"] = 210;
  of = small_report(tilted);
}

void drop_noise_floor(report& of) {
  std::erase_if(of.cells, [](const cell& each) { return each.key.arm == "nccl-again"; });
}

void skip_push(report& of) {
  cell& push = arm_of(of, "push");
  push = small_cell("shape", "push");
  push.status = cell_status::skipped;
  push.reason = "no path";
}

void add_metric(report& of) {
  auto& metrics = arm_of(of, "push").metrics;
  cell alone = arm_of(of, "push");
  alone.key.mode = compute_only_mode;
  alone.metrics.erase("speedup");
  metrics["over_compute"] = {1, "ratio", interval{1, 1}};
  of.cells.push_back(alone);
}

const invalid_case invalid_cases[] = {
    {"missing_cell", [](report& of) { of.cells.pop_back(); }, "push  is missing"},
    {"extra_cell",
     [](report& of) {
       of.cells.push_back(of.cells.back());
       of.cells.back().key.arm = "hybrid";
     },
     "hybrid  is not in the baseline"},
    {"renamed_metric", rename_metric, "push speedup is missing"},
    {"extra_metric", add_metric, "push over_compute is not in the baseline"},
    {"refuted", [](report& of) { arm_of(of, "push").refute("it ran a kernel"); },
     "push  is refuted: it ran a kernel"},
    {"incomplete",
     [](report& of) {
       arm_of(of, "push").status = cell_status::incomplete;
       arm_of(of, "push").reason = "the run was ended";
       arm_of(of, "push").metrics.clear();
     },
     "push  is incomplete"},
    {"interval_below_zero",
     [](report& of) {
       arm_of(of, "push").metrics.at("speedup").ci95 = interval{-1, 10};
     },
     "its speedup is not positive"},
    {"nothing_checked", [](report& of) { arm_of(of, "push").checked = {}; },
     "push checked.bytes is 0"},
    {"skipped", skip_push, "push  is skipped: no path"},
    {"run_broke_off", [](report& of) { of.run.complete = false; }, "run.complete is false"},
    {"other_gpu", [](report& of) { of.machine.gpus[1].name = "NVIDIA H100"; },
     "the machine has the GPUs"},
    {"other_number_of_gpus", [](report& of) { of.machine.gpus.pop_back(); },
     "the machine has the GPUs NVIDIA H200 where"},
    {"other_link", [](report& of) { of.machine.paths[0].link = "SYS"; },
     "the machine has the links SYS, NV18"},
    {"other_driver", [](report& of) { of.machine.driver = "590.1"; },
     "has the driver 590 where 580"},
    {"other_nccl", [](report& of) { of.machine.nccl = "2.32.3"; }, "has NCCL 2.32.3"},
    {"other_device", [](report& of) { of.machine.device = "host"; }, "has the device host"},
    {"other_ranks", [](report& of) { of.run.ranks = 4; }, "has ranks: 4 where 2"},
    {"other_command", [](report& of) { of.run.command = "gather"; }, "run.command is \"gather\""},
    {"other_reference", [](report& of) { of.run.reference_arm = "push"; },
     "run.reference_arm is \"push\""},
    {"nothing_to_compare", [](report& of) { of.cells.clear(); }, "there is nothing to compare"},
    {"noise_floor_outside_its_band", tilt_noise_floor, "the reference again is 0.9"},
    {"no_noise_floor", drop_noise_floor, "there is no A/A comparison"},
    {"edited_ratio", [](report& of) { arm_of(of, "push").metrics.at("speedup").value = 3; },
     "cells[3].metrics.speedup is not the ratio"},
};

INSTANTIATE_TEST_SUITE_P(gate, invalid_run, testing::ValuesIn(invalid_cases),
                         [](const auto& each) { return each.param.name; });

TEST(gate, says_of_another_machine_nothing_else) {
  report run = fourth_launch();
  run.machine.nccl = "2.32.3";
  run.cells.pop_back();
  EXPECT_EQ(judged(run).findings.size(), 1u) << said(judged(run));
}

TEST(gate, takes_another_driver_of_the_same_series_and_other_serial_numbers) {
  report run = fourth_launch();
  run.machine.driver = "580.65";
  run.machine.gpus[0].uuid = "GPU-zz";
  EXPECT_EQ(verdict_of(judged(run)), verdict::pass);
}

TEST(gate, wants_what_was_skipped_to_be_skipped) {
  auto launches = launches_of();
  for (named_launch& each : launches) skip_push(each.of.report);
  const baseline against = derive(launches, default_margins());
  report run = fourth_launch();
  EXPECT_THAT(said(judged(run, against)), HasSubstr("push  is measured, and was skipped"));
  skip_push(run);
  EXPECT_EQ(verdict_of(judged(run, against)), verdict::pass) << said(judged(run, against));
}

// ---- noise ------------------------------------------------------------------------------------

TEST(gate, says_what_is_too_noisy_and_decides_by_the_rest) {
  // With 5 % from round to round no 10 % can be told; push is far slower for real.
  small_launch noisy{.noise = 0.05};
  const baseline against = small_baseline(noisy);
  const result of = judged(fourth_launch(1, noisy), against);
  EXPECT_EQ(verdict_of(of), verdict::invalid) << said(of);
  EXPECT_THAT(said(of), HasSubstr("every comparison is too noisy"));
  EXPECT_THAT(said(of), HasSubstr("too noisy: copy-engine speedup"));
  noisy.time_us["push"] = 600;
  const result slow = judged(fourth_launch(1, noisy), against);
  EXPECT_EQ(verdict_of(slow), verdict::fail) << said(slow);
}

TEST(gate, gates_times_on_request_only) {
  small_launch slower{.slowness = 1.2};
  const report run = fourth_launch(1, slower);
  EXPECT_EQ(verdict_of(judged(run)), verdict::pass) << "ratios survive a slower machine";
  const result of = judged(run, small_baseline(), {.absolute = true});
  EXPECT_EQ(verdict_of(of), verdict::fail);
  EXPECT_THAT(said(of), HasSubstr("nccl time_us slower by +20"));
}

TEST(gate, takes_several_launches_as_one_run) {
  std::vector<named_report> launches;
  for (const std::uint64_t seed : {4, 5, 6}) {
    small_launch slow{.seed = seed};
    slow.time_us["copy-engine"] *= 1.05;
    launches.push_back({"launch", small_report(slow)});
  }
  const result of = judged(merged_report(launches));
  EXPECT_EQ(verdict_of(of), verdict::fail) << said(of);
}

TEST(observed_error, holds_what_launches_differ_by) {
  const expectation expected{2, {2, 2, 2}, 10, 0.001, 0.02, 0.1, 0.2};
  observation seen{small_cell("shape", "push").key, "speedup", 0.7, 0.0003, 10, 1};
  EXPECT_NEAR(observed_error(seen, expected, 60), 0.02, 0.0001);
  // Of three launches, that of their mean.
  seen.launches = 3;
  EXPECT_NEAR(observed_error(seen, expected, 60), 0.02 / std::sqrt(3), 0.0001);
  // More noise than chance explains is believed; a little more is pooled.
  const expectation quiet{2, {2, 2, 2}, 10, 0.001, 0, 0.1, 0.2};
  seen.launches = 1;
  seen.log_error = 0.02;
  EXPECT_NEAR(observed_error(seen, quiet, 60), 0.02, 1e-9);
  seen.log_error = 0.0004;
  EXPECT_LT(observed_error(seen, quiet, 60), 0.00035);
}

TEST(gate, does_not_believe_a_launch_that_differs_as_launches_do) {
  // Launches of the baseline differ by 3 %; within each, nothing varies.
  auto launches = launches_of();
  for (std::size_t at = 0; at < launches.size(); ++at) {
    small_launch each{.seed = at + 1};
    each.time_us["copy-engine"] *= 1 + 0.03 * static_cast<double>(at);
    each.time_us["push"] *= 1 + 0.03 * static_cast<double>(at);
    launches[at].of.report = small_report(each);
  }
  const baseline against = derive(launches, default_margins());
  EXPECT_NE(verdict_of(judged(fourth_launch(1.09), against)), verdict::fail);
}

}  // namespace
}  // namespace ithaca::reports::gate
