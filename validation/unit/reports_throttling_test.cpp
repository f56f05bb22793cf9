#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reports/metrics.hpp"
#include "reports/throttling.hpp"
#include "validation/unit/reports_example.hpp"

namespace ithaca::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

scenario_telemetry throttled_in(std::vector<throttled_round> rounds) {
  scenario_telemetry of{"shape", "bf16", 2, "exchange"};
  of.throttled = std::move(rounds);
  return of;
}

TEST(settle_throttling, discards_a_round_in_which_any_rank_was_slowed_down) {
  auto of = throttled_in({{1, 0, {"hardware thermal slowdown"}},
                          {3, 0, {"power brake"}},
                          {3, 1, {"hardware slowdown"}}});
  settle_throttling(of, 6);
  ASSERT_TRUE(of.discarded_rounds);
  EXPECT_THAT(discarded(of), ElementsAre(1, 3));
  EXPECT_THAT(of.discarded_rounds->back().reasons, ElementsAre("hardware slowdown", "power brake"));
  EXPECT_FALSE(of.throttling_note);
}

TEST(settle_throttling, discards_an_excursion_into_the_power_cap) {
  auto of = throttled_in({{0, 1, {"power cap"}}, {5, 0, {"power cap"}}});
  settle_throttling(of, 6);
  EXPECT_THAT(discarded(of), ElementsAre(0, 5));
}

TEST(settle_throttling, keeps_the_power_cap_where_it_is_the_state_that_was_measured) {
  auto of = throttled_in(
      {{0, 0, {"power cap"}}, {1, 1, {"power cap"}}, {2, 0, {"power cap", "thermal limit"}}});
  settle_throttling(of, 6);
  EXPECT_THAT(discarded(of), ElementsAre(2));
  EXPECT_THAT(of.discarded_rounds->front().reasons, ElementsAre("thermal limit"));
  ASSERT_TRUE(of.throttling_note);
  EXPECT_THAT(*of.throttling_note, HasSubstr("in 3 of 6 rounds"));
}

TEST(settle_throttling, discards_nothing_where_too_little_would_be_left) {
  auto three_left = throttled_in({{0, 0, {"power brake"}}, {1, 0, {"power brake"}}});
  settle_throttling(three_left, 5);
  EXPECT_THAT(discarded(three_left), ElementsAre(0, 1));

  auto two_left = throttled_in({{0, 0, {"power brake"}}});
  settle_throttling(two_left, 3);
  EXPECT_THAT(*two_left.discarded_rounds, IsEmpty());
  EXPECT_THAT(two_left.throttling_note.value_or(""), HasSubstr("too few are left"));

  std::vector<throttled_round> most;
  for (int round = 0; round < 6; ++round) most.push_back({round, 0, {"power brake"}});
  auto less_than_half = throttled_in(most);
  settle_throttling(less_than_half, 10);
  EXPECT_THAT(*less_than_half.discarded_rounds, IsEmpty());
}

TEST(settle_throttling, says_nothing_where_nobody_could_be_asked) {
  scenario_telemetry of{"shape", "bf16", 2, "exchange"};
  settle_throttling(of, 6);
  EXPECT_FALSE(of.discarded_rounds);
  EXPECT_FALSE(of.sm_drift_mhz);
}

TEST(settle_throttling, says_how_far_the_clock_moved_over_the_rounds_that_count) {
  auto of = throttled_in({{0, 0, {"power brake"}}});
  of.sm_mhz = {{1200, 1200, 1200}, {1980, 1980, std::nullopt}, {1965, 1975, 1900}, {1950, 1970, 1}};
  settle_throttling(of, 4);
  EXPECT_EQ(of.sm_drift_mhz, -20);  // of -30 and -10; the third rank's first is not known
}

TEST(without_discarded, leaves_the_round_out_of_every_arm) {
  telemetry seen;
  seen.scenarios = {throttled_in({{1, 0, {"power brake"}}})};
  settle_throttling(seen.scenarios.front(), 4);
  cell_inputs cell;
  cell.degree = 2;
  cell.peer_bytes = cell.source_bytes = 1;
  cell.samples = one_launch({{100}, {900}, {100}, {100}});
  cell.reference = one_launch({{200}, {200}, {200}, {200}});
  const cell_key key{"scatter", "cuda", "shape", "bf16", 2, "exchange", "a", "isolated"};
  const auto metrics = compute_metrics(without_discarded(cell, key, seen));
  EXPECT_EQ(metrics.at("speedup").ci95, (interval{2, 2}));
  EXPECT_EQ(metrics.at("time_p95_us").value, 0.1);
  // Of another scenario nothing is left out.
  cell_key other = key;
  other.dtype = "fp32";
  EXPECT_EQ(without_discarded(cell, other, seen).samples, cell.samples);
}

}  // namespace
}  // namespace ithaca::reports
