#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "bench/overlap_facts.hpp"
#include "reports/overlap_figures.hpp"
#include "validation/unit/reports_example.hpp"

namespace ithaca::reports {
namespace {

/// What is said of the example after `value` was put `at`.
std::string said(const char* at, const json& value) {
  json changed = to_json(example_overlap(), "overlap");
  changed[json::json_pointer(at)] = value;
  try {
    overlap_figures_from_json(changed, "overlap");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

overlap_figures stage_of(std::int64_t compute_ns, std::int64_t exposed_ns,
                         std::int64_t communication_ns) {
  overlap_figures of;
  of.stage_ns = compute_ns + exposed_ns;
  of.compute_ns = compute_ns;
  of.exposed_ns = exposed_ns;
  of.communication_ns = communication_ns;
  of.to_peers_ns = communication_ns;
  return of;
}

TEST(overlap_figures, come_back_from_their_text) {
  const overlap_figures whole = example_overlap();
  const json written = to_json(whole, "overlap");
  EXPECT_DOUBLE_EQ(written["hidden_fraction"].get<double>(), 157'700.0 / 300'000);
  EXPECT_EQ(overlap_figures_from_json(json::parse(written.dump()), "overlap"), whole);
  const overlap_figures computing = stage_of(10, 2, 0);
  const json bare = to_json(computing, "overlap");
  EXPECT_FALSE(bare.contains("hidden_fraction"));
  EXPECT_FALSE(bare.contains("ideal_share"));
  EXPECT_EQ(overlap_figures_from_json(json::parse(bare.dump()), "overlap"), computing);
}

TEST(overlap_figures, say_what_is_wrong_with_a_value) {
  EXPECT_EQ(said("/rank", 1), "accepted");
  EXPECT_EQ(said("/stage_ns", 1.5), "overlap.stage_ns is number where a whole number belongs");
  EXPECT_EQ(said("/exposed_ns", -1), "overlap.exposed_ns is negative where a time belongs");
  EXPECT_EQ(said("/rank", -1), "overlap.rank is negative where a count belongs");
  EXPECT_EQ(said("/compute_slowdown", -1),
            "overlap.compute_slowdown is negative");
  EXPECT_EQ(said("/ideal_share", "half"), "overlap.ideal_share is string where a number belongs");
  EXPECT_EQ(said("/tags", json::array()), "overlap.tags is array where an object belongs");
  EXPECT_EQ(said("/tags/v/windows", -1),
            "overlap.tags.v.windows is negative where a count belongs");
  EXPECT_EQ(said("/tags/v/beside_ns/matmul", nullptr),
            "overlap.tags.v.beside_ns.matmul is null where a whole number belongs");
  EXPECT_EQ(said("/tags/v/beside_ns", 3),
            "overlap.tags.v.beside_ns is number where an object belongs");
  EXPECT_EQ(said("/tags/v/bytes", 3), "overlap.tags.v has a foreign field \"bytes\"");
  EXPECT_EQ(said("/hidden_us", 3), "overlap has a foreign field \"hidden_us\"");
}

TEST(overlap_figures, must_not_contradict_each_other) {
  EXPECT_EQ(said("/exposed_ns", 190'001),
            "overlap has a stage that is not its computation and what is exposed");
  EXPECT_EQ(said("/compute_ns", INT64_MAX),
            "overlap has a stage that is not its computation and what is exposed");
  EXPECT_EQ(said("/hidden_fraction", 0.5),
            "overlap.hidden_fraction is not hidden_ns / communication_ns");
  EXPECT_EQ(said("/communication_ns", 0), "overlap.hidden_fraction is there without communication");
  EXPECT_EQ(said("/to_peers_ns", 300'001),
            "overlap communicates for less time than one of its parts");
  EXPECT_EQ(said("/tags/v/overlap_ns", 160'001),
            "overlap.tags.v overlaps for longer than it moves");
  EXPECT_EQ(said("/tags/q/moving_ns", 280'001),
            "overlap.tags.q moves for longer than all tags together");
  EXPECT_EQ(said("/tags/q/windows", 1), "overlap.tags.q has windows without overlap, or none with");
  EXPECT_EQ(said("/tags/v/beside_ns/matmul", 157'701),
            "overlap.tags.v is beside matmul for longer than it overlaps");
  overlap_figures too_hidden = example_overlap();
  too_hidden.hidden_ns = 300'001;
  EXPECT_THROW(to_json(too_hidden, "overlap"), std::invalid_argument);
  overlap_figures too_long = stage_of(10, 2, 13);
  EXPECT_THROW(to_json(too_long, "overlap"), std::invalid_argument);
}

TEST(overlap_figures, compare_with_the_parts_alone) {
  const overlap_figures compute_alone = stage_of(1000, 20, 0);
  const overlap_figures communication_alone = stage_of(0, 410, 400);
  const overlap_figures stage =
      compared(stage_of(1100, 125, 500), compute_alone, communication_alone);
  EXPECT_DOUBLE_EQ(stage.compute_slowdown.value(), 1.1);
  EXPECT_DOUBLE_EQ(stage.communication_slowdown.value(), 1.25);
  EXPECT_DOUBLE_EQ(stage.ideal_share.value(), 0.5);  // 1430 - 1225 of 1430 - 1020
  EXPECT_DOUBLE_EQ(
      compared(stage_of(1000, 20, 400), compute_alone, communication_alone).ideal_share.value(), 1);
  EXPECT_DOUBLE_EQ(
      compared(stage_of(1000, 430, 400), compute_alone, communication_alone).ideal_share.value(),
      0);
  EXPECT_LT(
      compared(stage_of(1000, 431, 400), compute_alone, communication_alone).ideal_share.value(),
      0);
  // The longer part is the bound, whichever it is.
  EXPECT_DOUBLE_EQ(compared(stage_of(100, 900, 900), stage_of(100, 0, 0), stage_of(0, 950, 950))
                       .ideal_share.value(),
                   0.5);
}

TEST(overlap_figures, leave_out_what_has_nothing_to_compare_with) {
  const overlap_figures compute_alone = stage_of(1000, 20, 0);
  overlap_figures stage = compared(stage_of(1100, 125, 500), compute_alone, std::nullopt);
  EXPECT_TRUE(stage.compute_slowdown);
  EXPECT_FALSE(stage.communication_slowdown);
  EXPECT_FALSE(stage.ideal_share);
  stage = compared(stage_of(1100, 125, 500), stage_of(0, 0, 0), stage_of(0, 0, 0));
  EXPECT_FALSE(stage.compute_slowdown);
  EXPECT_FALSE(stage.communication_slowdown);
  EXPECT_FALSE(stage.ideal_share);
}

TEST(overlap_facts, are_the_lengths_of_what_was_seen) {
  traces::stage_overlap seen;
  seen.rank = 3;
  seen.stage = {1000, 2400};
  seen.computation = traces::interval_set({{1000, 2000}, {2010, 2168}});
  seen.to_peers = traces::interval_set({{2005, 2170}, {2200, 2400}});
  seen.within_rank = traces::interval_set({{2160, 2180}});
  const traces::interval_set windows({{2010, 2100}, {2120, 2168}});
  seen.tags["v"] = {traces::interval_set({{2005, 2170}}), windows, {{"norm_rope_kernel", windows}}};
  overlap_figures expected{.rank = 3,
                           .stage_ns = 1400,
                           .compute_ns = 1158,
                           .communication_ns = 375,
                           .to_peers_ns = 365,
                           .within_rank_ns = 20,
                           .hidden_ns = 158,
                           .exposed_ns = 242};
  expected.tags["v"] = {165, 138, 2, {{"norm_rope_kernel", 138}}};
  EXPECT_EQ(bench::overlap_facts(seen), expected);
  EXPECT_NO_THROW(to_json(expected, "overlap"));
}

}  // namespace
}  // namespace ithaca::reports
