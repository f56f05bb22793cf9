#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/run_state.hpp"
#include "validation/unit/reports_example.hpp"
#include "validation/unit/reports_made.hpp"

namespace ithaca::reports {
namespace {

using testing::Contains;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::Field;
using testing::Not;

auto line(heed weight, const std::string& regex) {
  return testing::AllOf(Field(&state_line::weight, weight),
                        Field(&state_line::sentence, ContainsRegex(regex)));
}

std::vector<state_line> state_of(const report& of) { return run_state(of, verdicts(of)); }

TEST(run_state, says_little_of_a_run_without_fault) {
  EXPECT_THAT(state_of(made_report({{"nccl", hundred}, {"nccl-again", hundred_again}})),
              ElementsAre(state_line{heed::good, "The run is complete: 2 of 2 cells measured."}));
}

TEST(run_state, marks_devices_whose_times_are_none_of_gpus_first) {
  for (const char* device : {"host", "sim"}) {
    report made = made_report({{"nccl", hundred}});
    made.machine.device = device;
    made.run.note = note_on_times(device);
    EXPECT_THAT(state_of(made).front(), line(heed::caution, *made.run.note)) << device;
  }
}

TEST(run_state, says_what_broke_off_was_refuted_skipped_or_held_down) {
  report made = example_report();
  made.run.complete = false;
  made.telemetry.warm_up->settled = false;
  made.telemetry.scenarios[0].discarded_rounds = {{1, {"hardware thermal slowdown"}}};
  const std::vector<state_line> state = state_of(made);
  EXPECT_THAT(state, Contains(line(heed::bad, "not complete: 3 of 6 cells measured")));
  EXPECT_THAT(state, Contains(line(heed::bad, "1 cell was refuted")));
  EXPECT_THAT(state, Contains(line(heed::caution, "1 cell did not come to an end")));
  EXPECT_THAT(state, Contains(line(heed::plain, "1 cell was skipped")));
  EXPECT_THAT(state, Contains(line(heed::caution,
                                   "clocks down \\(hardware thermal slowdown, power cap\\) in 1 "
                                   "round of 1 scenario; 1 was discarded")));
  EXPECT_THAT(state, Contains(line(heed::caution, "clocks were not steady after 150 ms")));
  EXPECT_THAT(state, Contains(line(heed::plain, "not known of all GPUs: rank 1: NVML")));
}

TEST(run_state, says_where_equal_arms_differ_and_where_nobody_knows) {
  const report differs =
      made_report({{"nccl", hundred}, {"nccl-again", {90'000, 90'000, 90'000, 90'000, 90'000}}});
  EXPECT_THAT(state_of(differs), Contains(line(heed::plain, "In 1 of 1 scenario the interval")));
  const report unknown = made_report({{"nccl", hundred}});
  EXPECT_THAT(state_of(unknown), Contains(line(heed::caution, "No arm was measured twice")));
  const std::vector<std::int64_t> four(hundred.begin(), hundred.end() - 1);
  const report few = made_report({{"nccl", four}, {"nccl-again", four}, {"push", {1, 1, 1, 1}}});
  EXPECT_THAT(state_of(few), Contains(line(heed::caution, "Fewer than 5 rounds")));
  EXPECT_EQ(verdicts(few).front().outcome, finding::not_compared) << "however quick";
}

}  // namespace
}  // namespace ithaca::reports
