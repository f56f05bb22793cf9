#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/figures.hpp"
#include "reports/verdict.hpp"
#include "reports/verdict_words.hpp"
#include "validation/unit/reports_made.hpp"

namespace ithaca::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::int64_t> fifty_too = {50'100, 50'300, 49'700, 50'100, 49'900};
const std::vector<std::int64_t> two_hundred = {200'000, 201'000, 199'000, 200'500, 199'500};

verdict only(const report& of) {
  const std::vector<verdict> all = verdicts(of);
  EXPECT_EQ(all.size(), 1u);
  return all.front();
}

std::vector<std::string> arms(const std::vector<const cell*>& cells) {
  std::vector<std::string> names;
  for (const cell* each : cells) names.push_back(each->key.arm);
  return names;
}

TEST(find, decides_only_outside_of_the_noise_and_of_one) {
  const interval noise{0.98, 1.02};
  EXPECT_EQ(find(interval{1.03, 1.05}, noise), finding::quicker);
  EXPECT_EQ(find(interval{0.9, 0.97}, noise), finding::slower);
  EXPECT_EQ(find(interval{0.99, 1.05}, noise), finding::not_decided);
  EXPECT_EQ(find(interval{1.01, 1.05}, noise), finding::not_decided) << "reaches into the noise";
  EXPECT_EQ(find(interval{1.02, 1.05}, noise), finding::not_decided) << "touches it";
  EXPECT_EQ(find(interval{1, 1.05}, interval{0.9, 0.95}), finding::not_decided) << "holds 1";
  EXPECT_EQ(find(std::nullopt, noise), finding::not_compared);
  EXPECT_EQ(find(interval{1.5, 1.6}, std::nullopt), finding::not_compared);
}

TEST(verdicts, name_the_quickest_and_how_it_lies_beside_the_reference) {
  const report made =
      made_report({{"nccl", hundred}, {"copy-engine", fifty}, {"nccl-again", hundred_again}});
  const verdict of = only(made);
  EXPECT_EQ(of.best, &made.cells[1]);
  EXPECT_EQ(of.reference, &made.cells[0]);
  EXPECT_EQ(of.outcome, finding::quicker);
  EXPECT_TRUE(of.as_quick.empty());
  EXPECT_THAT(
      sentence(of, made.run),
      testing::MatchesRegex("2\\.0. \\[.*\\] times as quick as nccl, outside of the noise .*"));
}

TEST(verdicts, leave_out_bare_arms_and_the_second_self) {
  const report made = made_report({{"nccl", two_hundred},
                                   {"nccl-bare", fifty},
                                   {"copy-engine", hundred},
                                   {"nccl-again", fifty_too}});
  EXPECT_EQ(only(made).best->key.arm, "copy-engine");
}

TEST(verdicts, leave_out_what_was_not_measured_and_parts_of_stages) {
  report made = made_report({{"nccl", two_hundred}, {"push", fifty}, {"copy-engine", hundred}});
  made.cells[1].refute("rank 1 ran another kernel");
  EXPECT_EQ(only(made).best->key.arm, "copy-engine");

  made = made_report({{"nccl", two_hundred}, {"copy-engine", fifty}});
  for (cell& each : made.cells) each.key.schedule = "v-first";
  made.cells[1].key.mode = communication_only_mode;
  EXPECT_EQ(only(made).best->key.arm, "nccl");
}

TEST(verdicts, name_those_that_cannot_be_told_from_the_best) {
  const report made = made_report({{"nccl", two_hundred},
                                   {"push", hundred},
                                   {"copy-engine", fifty},
                                   {"hybrid", fifty_too},
                                   {"nccl-again", two_hundred}});
  const verdict of = only(made);
  EXPECT_EQ(of.best->key.arm, "copy-engine");
  EXPECT_THAT(arms(of.as_quick), ElementsAre("hybrid"));
  EXPECT_THAT(sentence(of, made.run), HasSubstr("Not told from it: hybrid."));
}

TEST(verdicts, pair_only_the_rounds_that_count) {
  // Equal in the first two rounds; in the others, which are discarded, one is slower.
  const std::vector<std::int64_t> steady(12, 50'000);
  std::vector<std::int64_t> disturbed(12, 90'000);
  disturbed[0] = disturbed[1] = 50'000;
  const std::vector<std::int64_t> slow(12, 200'000);
  report made = made_report(
      {{"nccl", slow}, {"copy-engine", steady}, {"hybrid", disturbed}, {"nccl-again", slow}});
  EXPECT_TRUE(only(made).as_quick.empty());
  scenario_telemetry rounds{"a", "bf16", 2, "exchange"};
  rounds.discarded_rounds.emplace();
  for (int round = 2; round < 12; ++round) rounds.discarded_rounds->push_back({round, {"thermal"}});
  made.telemetry.scenarios = {rounds};
  EXPECT_THAT(arms(only(made).as_quick), ElementsAre("hybrid"));
}

TEST(verdicts, decide_nothing_within_the_noise) {
  // The second self differs by as much as the arm does.
  const report made = made_report({{"nccl", hundred},
                                   {"copy-engine", fifty},
                                   {"nccl-again", {48'000, 200'000, 49'000, 49'000, 50'000}}});
  const verdict of = only(made);
  EXPECT_EQ(of.outcome, finding::not_decided);
  EXPECT_THAT(sentence(of, made.run),
              HasSubstr("not decided, as the interval reaches into the noise"));
}

TEST(verdicts, decide_nothing_without_a_second_self) {
  const report made = made_report({{"nccl", hundred}, {"copy-engine", fifty}});
  const verdict of = only(made);
  EXPECT_FALSE(of.noise);
  EXPECT_EQ(of.outcome, finding::not_compared);
  EXPECT_THAT(sentence(of, made.run), HasSubstr("no arm was measured twice"));
}

TEST(verdicts, take_the_noise_both_ways) {
  const report made = made_report({{"nccl", hundred}, {"nccl-again", two_hundred}});
  const std::optional<interval> noise = only(made).noise;
  ASSERT_TRUE(noise);
  EXPECT_NEAR(noise->low, 0.5, 0.02);
  EXPECT_DOUBLE_EQ(noise->high, 1 / noise->low) << "it is chance which of the two is the reference";
}

TEST(verdicts, say_where_the_reference_is_the_best) {
  report made =
      made_report({{"nccl", hundred}, {"copy-engine", two_hundred}, {"nccl-again", hundred_again}});
  EXPECT_EQ(only(made).best, only(made).reference);
  EXPECT_EQ(only(made).outcome, finding::quicker);
  EXPECT_THAT(sentence(only(made), made.run), HasSubstr("all others are slower"));
  EXPECT_EQ(beside_reference(made.cells[1], only(made)), finding::slower);
  EXPECT_EQ(beside_reference(made.cells[0], only(made)), finding::not_compared);

  made = made_report({{"nccl", fifty},
                      {"copy-engine", {50'100, 50'600, 49'600, 50'300, 50'000}},
                      {"nccl-again", fifty_too}});
  EXPECT_EQ(only(made).outcome, finding::not_decided);
  EXPECT_THAT(sentence(only(made), made.run), HasSubstr("Not told from it: copy-engine."));
}

TEST(verdicts, keep_modes_of_exchanges_apart_and_schedules_of_stages_together) {
  report made = made_report({{"nccl", hundred}, {"copy-engine", fifty}});
  made.cells[1].key.mode = pipelined_mode;
  EXPECT_EQ(verdicts(made).size(), 2u);
  made.cells[1].key.mode = isolated_mode;
  made.cells[0].key.schedule = "sequential";
  made.cells[1].key.schedule = "v-first";
  const verdict of = only(made);
  EXPECT_EQ(choice_name(*of.best), "copy-engine by v-first");
  EXPECT_EQ(choice_name(*of.reference), "nccl by sequential");
}

TEST(verdicts, name_no_best_where_both_sides_count) {
  report made = made_report({{"nccl", hundred}, {"copy-engine", fifty}});
  made.run.command = "interference";
  for (cell& each : made.cells) {
    each.key.command = "interference";
    each.key.schedule = "matmul";
  }
  EXPECT_EQ(only(made).best, nullptr);
  EXPECT_THAT(sentence(only(made), made.run), HasSubstr("No arm is named the best"));
  EXPECT_THAT(headline(verdicts(made), made.run), HasSubstr("No arm is named the best"));
}

TEST(note, says_only_what_a_table_does_not) {
  EXPECT_EQ(note(only(made_report({{"nccl", two_hundred},
                                   {"copy-engine", fifty},
                                   {"hybrid", fifty_too},
                                   {"nccl-again", two_hundred}}))),
            "Not told from it: hybrid.");
  EXPECT_EQ(note(only(made_report(
                {{"nccl", hundred}, {"copy-engine", fifty}, {"nccl-again", hundred_again}}))),
            "");
  EXPECT_EQ(note(only(made_report({{"nccl", hundred},
                                   {"copy-engine", {99'000, 99'000, 100'000, 101'000, 100'000}},
                                   {"nccl-again", hundred_again}}))),
            "It is the reference. Not told from it: copy-engine.");
  EXPECT_EQ(note(only(made_report({{"nccl", hundred}, {"copy-engine", fifty}}))),
            "The noise is not known.");
}

TEST(headline, counts_those_that_cannot_be_told_from_the_best) {
  report made = made_report({{"nccl", two_hundred},
                             {"copy-engine", fifty},
                             {"hybrid", fifty_too},
                             {"nccl-again", two_hundred}});
  const report other = made_report(
      {{"nccl", two_hundred}, {"copy-engine", fifty}, {"nccl-again", two_hundred}}, "b");
  made.cells.insert(made.cells.end(), other.cells.begin(), other.cells.end());
  EXPECT_EQ(headline(verdicts(made), made.run),
            "Quickest, or not told from it: copy-engine in 2 of 2 scenarios, hybrid in 1. Decided "
            "against nccl: 2 of 2.");
}

}  // namespace
}  // namespace ithaca::reports
