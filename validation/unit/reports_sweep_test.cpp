#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/figures.hpp"
#include "reports/sweep.hpp"
#include "validation/unit/reports_made.hpp"

namespace ithaca::reports {
namespace {

using testing::ElementsAre;

const std::vector<std::int64_t> slow = {200'000, 201'000, 199'000, 200'500, 199'500};
const std::vector<std::int64_t> quick = {50'000, 50'500, 49'500, 50'200, 49'900};
const std::vector<std::int64_t> as_quick = {50'100, 50'300, 49'700, 50'100, 49'900};

/// Each shape with what the copy engine and push take there.
report over_sizes(
    const std::vector<std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>>>& sizes) {
  report made;
  char shape = 'a';
  for (const auto& [copy_engine, push] : sizes) {
    const report one = made_report(
        {{"nccl", slow}, {"copy-engine", copy_engine}, {"push", push}, {"nccl-again", slow}},
        std::string(1, shape++));
    if (made.cells.empty())
      made = one;
    else
      made.cells.insert(made.cells.end(), one.cells.begin(), one.cells.end());
  }
  return made;
}

std::vector<choice_range> ranges(const report& of) {
  const std::vector<sweep> all = sweeps(of);
  EXPECT_EQ(all.size(), 1u);
  return choice_ranges(all[0], shapes_of(all[0]), verdicts(of));
}

TEST(choice_ranges, say_from_where_to_where_an_arm_is_the_choice) {
  EXPECT_THAT(ranges(over_sizes({{slow, quick}, {slow, quick}, {quick, slow}})),
              ElementsAre(choice_range{"push", "a", "b"}, choice_range{"copy-engine", "c", "c"}));
}

TEST(choice_ranges, do_not_change_arms_for_what_cannot_be_told) {
  EXPECT_THAT(ranges(over_sizes({{quick, as_quick}, {as_quick, quick}, {quick, slow}})),
              ElementsAre(choice_range{"copy-engine", "a", "c"}));
}

TEST(choice_ranges, say_where_nothing_competes) {
  report made = over_sizes({{quick, slow}, {quick, slow}, {quick, slow}});
  for (cell& each : made.cells) {
    if (each.key.shape == "b" && each.key.arm != "nccl-again") each.key.arm += "-bare";
  }
  EXPECT_THAT(ranges(made),
              ElementsAre(choice_range{"copy-engine", "a", "a"}, choice_range{"", "b", "b"},
                          choice_range{"copy-engine", "c", "c"}));
}

TEST(sweeps, are_of_one_dtype_degree_and_mode_and_of_what_was_measured) {
  report made = over_sizes({{quick, slow}, {quick, slow}});
  made.cells[0].key.mode = pipelined_mode;
  made.cells[1].key.dtype = "fp8";
  made.cells[2].key.degree = 4;
  made.cells[3].refute("wrong bytes");
  const std::vector<sweep> all = sweeps(made);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[3].size(), 4u);
}

TEST(bytes_a_peer, come_back_from_goodput_and_time) {
  const report made = made_report({{"nccl", slow}});
  EXPECT_NEAR(bytes_a_peer(made.cells[0]).value(), 1 << 20, 1);
  cell staged = made.cells[0];
  staged.metrics.erase("goodput_gbps");
  EXPECT_FALSE(bytes_a_peer(staged));
}

}  // namespace
}  // namespace ithaca::reports
