#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/summary_table.hpp"
#include "reports/text_table.hpp"
#include "validation/unit/reports_example.hpp"

namespace ithaca::reports {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) all.push_back(line);
  return all;
}

TEST(summary_table, shows_every_arm_of_a_scenario_once) {
  EXPECT_EQ(summary_table(example_report()),
            R"(Ceiling 384.2 GB/s (slowest ordered pair of one host), handshake 4.5 us.
flux.1-dev-1024 bf16 U2: 1 round is discarded, since a GPU held its clocks down (hardware thermal slowdown); the power
cap is the state that was measured.
Times per exchange; goodput, algbw and busbw (by nccl-tests' formula) in GB/s.

scatter  flux.1-dev-1024  bf16  U2  isolated
  arm               time us       p5..p95  goodput  ceil %     vs nccl [95 %]  algbw  busbw  submit us    MiB
  nccl                100.2  99.50..101.0    141.5   36.80          reference  283.0  141.5      11.50  170.0
  copy-engine         100.2  99.50..101.0    141.5   36.80  1.62 [1.60, 1.64]  283.0  141.5      11.50  170.0
  nccl-again (A/A)    100.2  99.50..101.0    141.5   36.80  1.00 [0.99, 1.01]  283.0  141.5      11.50  170.0
  noise floor: nccl-again is nccl run twice; its speedup 1.00 [0.99, 1.01] is the difference between equal arms
  mpi: skipped: this MPI can't read device memory
  nccl-zero-cta: refuted: rank 1 ran the kernel ncclDevKernel_SendRecv

scatter  flux.1-dev-1024  bf16  U2  pipelined
  nccl: incomplete: the run was ended in round 2
)");
}

TEST(summary_table, marks_host_times_and_runs_that_broke_off) {
  report host = example_report();
  host.machine.device = "host";
  host.run.note = note_on_times("host");
  host.run.complete = false;
  const auto shown = lines_of(summary_table(host));
  EXPECT_EQ(shown[0], "Measured on the host device: the times say nothing about GPUs.");
  EXPECT_EQ(shown[2], "The run is not complete.");
}

TEST(summary_table, marks_everything_that_is_simulated) {
  report simulated = example_report();
  simulated.machine.device = "sim";
  for (cell& each : simulated.cells) each.key.device = "sim";
  simulated.run.note = note_on_times("sim");
  for (const std::string& line : lines_of(summary_table(simulated))) {
    const bool heads_numbers = line.starts_with("scatter  ") || line.find("eiling") != line.npos ||
                               line.find("imes per exchange") != line.npos;
    if (heads_numbers) {
      EXPECT_THAT(line, testing::ContainsRegex("[Ss]imulated"));
    }
  }
  EXPECT_THAT(summary_table(simulated), testing::StartsWith("Simulated: every time"));
}

TEST(summary_table, stays_within_120_columns) {
  report wide = example_report();
  for (cell& each : wide.cells) {
    each.key.arm += "-with-a-very-long-name-of-its-own";
    if (each.reason)
      *each.reason += std::string(30, 'x') +
                      " and so on and on, word after word, "
                      "until no terminal could show it in a single line of its own";
    for (auto& [name, value] : each.metrics) {
      value.value = 1234567.8;
      if (value.ci95) value.ci95 = interval{101.25, 102.75};
    }
    if (each.metrics.contains("speedup")) each.metrics["speedup"].value = 102.0;
  }
  wide.run.noise_floor_arm = wide.cells[2].key.arm;
  for (const std::string& line : lines_of(summary_table(wide))) {
    EXPECT_LE(line.size(), 120u) << line;
  }
}

TEST(summary_table, shows_a_dash_for_what_was_not_measured) {
  report bare = example_report();
  bare.cells = {bare.cells[1]};
  bare.cells[0].metrics = {{"time_us", {5, "us"}}};
  const auto shown = lines_of(summary_table(bare));
  EXPECT_EQ(shown.back().find("copy-engine"), 2u);
  EXPECT_NE(shown.back().find("5.00"), std::string::npos);
  EXPECT_NE(shown.back().find(" - "), std::string::npos);
}

TEST(text_table, aligns_the_first_column_left_and_the_others_right) {
  text_table table({"name", "value"});
  table.add_row({"a", "1"});
  table.add_row({"longer", "123456"});
  EXPECT_EQ(table.to_string(1, 80),
            " name     value\n"
            " a            1\n"
            " longer  123456\n");
}

TEST(text_table, cuts_the_first_column_to_fit) {
  text_table table({"name", "value"});
  table.add_row({"a-very-long-name", "1"});
  EXPECT_EQ(table.to_string(0, 20),
            "name           value\n"
            "a-very-long-~      1\n");
  EXPECT_THROW(table.add_row({"x"}), std::invalid_argument);
}

TEST(wrap, breaks_between_words) {
  EXPECT_EQ(wrap("one two three", 2, 9), "  one two\n  three\n");
  EXPECT_EQ(wrap("unbreakable it", 0, 5), "unbreakable\nit\n");
  EXPECT_EQ(wrap("", 2, 9), "");
}

}  // namespace
}  // namespace ithaca::reports
