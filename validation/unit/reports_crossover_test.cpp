#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reports/crossover_table.hpp"

namespace ithaca::reports {
namespace {

using testing::HasSubstr;

cell measured(const std::string& arm, const std::string& shape, double time_us) {
  cell made;
  made.key = {"crossover", "cuda", shape, "bf16", 2, "exchange", arm, "isolated"};
  made.status = cell_status::measured;
  made.metrics["time_us"] = {time_us, "us"};
  return made;
}

report with_crossing() {
  report made;
  made.run.noise_floor_arm = "nccl-again";
  const std::vector<std::string> shapes = {"64KiB-a-peer", "1MiB-a-peer", "16MiB-a-peer"};
  for (std::size_t at = 0; at < shapes.size(); ++at) {
    made.cells.push_back(measured("push", shapes[at], std::vector{9.0, 12.0, 80.0}[at]));
    made.cells.push_back(measured("copy-engine", shapes[at], std::vector{17.0, 18.0, 60.0}[at]));
    made.cells.push_back(measured("nccl-again", shapes[at], 1.0));
  }
  return made;
}

TEST(crossover_table, says_which_arm_is_quickest_from_where_to_where) {
  EXPECT_THAT(crossover_table(with_crossing()),
              HasSubstr("quickest: push 64KiB to 1MiB; copy-engine 16MiB\n"));
}

TEST(crossover_table, has_a_column_for_each_size_and_a_row_for_each_arm) {
  const std::string text = crossover_table(with_crossing());
  EXPECT_THAT(text, testing::ContainsRegex("time us +64KiB +1MiB +16MiB"));
  EXPECT_THAT(text, testing::ContainsRegex("push +9.00 +12.00 +80.00"));
}

TEST(crossover_table, leaves_out_what_was_not_measured) {
  report of = with_crossing();
  of.cells[0].refute("its bytes were wrong");
  const std::string text = crossover_table(of);
  EXPECT_THAT(text, testing::ContainsRegex("push +- +12.00 +80.00"));
  EXPECT_THAT(text, HasSubstr("quickest: copy-engine 64KiB; push 1MiB; copy-engine 16MiB"));
  EXPECT_THAT(crossover_table(report{}), testing::IsEmpty());
}

TEST(crossover_table, never_calls_an_arm_without_a_time_the_quickest) {
  report of = with_crossing();
  of.cells[0].metrics = {{"submit_us", {1, "us"}}};
  EXPECT_THAT(crossover_table(of), HasSubstr("quickest: copy-engine 64KiB; push 1MiB"));
}

TEST(crossover_table, never_calls_a_bare_arm_the_quickest) {
  report of = with_crossing();
  EXPECT_THAT(crossover_table(of), testing::Not(HasSubstr("bare")));
  for (const char* shape : {"64KiB-a-peer", "16MiB-a-peer", "32MiB-a-peer"}) {
    of.cells.push_back(measured("nccl-bare", shape, 2.0));
  }
  const std::string text = crossover_table(of);
  EXPECT_THAT(text, testing::ContainsRegex("nccl-bare +2.00 +- +2.00 +2.00"));
  EXPECT_THAT(text, HasSubstr("quickest: push 64KiB to 1MiB; copy-engine 16MiB; none 32MiB "
                              "(bare arms, which leave out packing, do not compete)"));
}

TEST(crossover_table, keeps_modes_apart_and_breaks_wide_tables) {
  report of = with_crossing();
  of.cells.push_back(measured("push", "32MiB-a-peer", 100));
  of.cells.back().key.mode = "pipelined";
  for (int size = 1; size < 20; ++size) {
    of.cells.push_back(measured("push", std::to_string(size) + "GiB-a-peer", 1e6));
  }
  const std::string text = crossover_table(of);
  EXPECT_THAT(text, HasSubstr("bf16  U2  pipelined"));
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    widest = std::max(widest, end - begin);
    begin = end + 1;
  }
  EXPECT_LE(widest, 120u);
}

}  // namespace
}  // namespace ithaca::reports
