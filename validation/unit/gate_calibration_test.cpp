#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/gate/comparison.hpp"
#include "reports/gate/derivation.hpp"
#include "reports/gate/fitting.hpp"
#include "reports/report_file.hpp"
#include "validation/unit/gate_resampling.hpp"

namespace ithaca::reports::gate {
namespace {

constexpr std::size_t pairs = 1000;
constexpr std::size_t pool_size = 60;

/// A recorded run, and launches drawn from its rounds; each pair is a baseline of three of them and
/// a run that is a fourth.
class calibration : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
#ifndef ITHACA_WITH_ZLIB
    if (std::string(GetParam()).ends_with(".gz")) {
      GTEST_SKIP() << "this build has no zlib, and the recorded run is packed";
    }
#endif
    const std::string folder = ITHACA_SOURCE_DIR "/reports/recorded/";
    draws_.emplace(read_report(folder + GetParam()), 7);
    while (pool_.size() < pool_size) pool_.push_back(draws_->launch());
  }

  struct pair {
    expectations expected;
    std::vector<observation> run;
    std::size_t comparisons = 0;
  };

  pair draw() {
    std::vector<std::size_t> chosen;
    while (chosen.size() < 4) {
      const std::size_t one = draws_->below(pool_.size());
      if (std::ranges::find(chosen, one) == chosen.end()) chosen.push_back(one);
    }
    const std::vector launches = {pool_[chosen[0]], pool_[chosen[1]], pool_[chosen[2]]};
    pair made{fit(launches, default_margins()), pool_[chosen[3]]};
    made.comparisons = ratio_count(made.expected);
    return made;
  }

  static outcome of(const pair& in, const observation& seen) {
    return compare(seen, in.expected.at({seen.key, seen.metric}), in.comparisons).came_to;
  }

  static std::vector<std::string> arms_that_show_five_percent(const pair& in) {
    std::set<std::string> arms;
    for (const auto& [key, expected] : in.expected) {
      if (expected.detectable_slowdown <= 0.05) arms.insert(key.first.arm);
    }
    return {arms.begin(), arms.end()};
  }

  std::optional<resampling> draws_;
  std::vector<std::vector<observation>> pool_;
};

/// How many of how many.
struct share {
  std::size_t of = 0;
  std::size_t all = 0;

  void add(bool counts) {
    ++all;
    if (counts) ++of;
  }
  bool is_at_most(std::size_t percent) const { return of * 100 <= all * percent; }
  bool is_at_least(std::size_t percent) const { return of * 100 >= all * percent; }
};

std::ostream& operator<<(std::ostream& to, const share& what) {
  return to << what.of << " of " << what.all;
}

TEST_P(calibration, finds_what_it_says_that_it_finds_and_raises_no_false_alarm) {
  share false_alarms_of_runs, ambiguous_runs, slow_arms, slow_cells, stated, at_the_margin;
  for (std::size_t count = 0; count < pairs; ++count) {
    const pair each = draw();
    bool worse = false, ambiguous = false;
    for (const observation& seen : each.run) {
      worse = worse || of(each, seen) == outcome::worse;
      ambiguous = ambiguous || of(each, seen) == outcome::ambiguous;
    }
    false_alarms_of_runs.add(worse);
    ambiguous_runs.add(ambiguous);

    // 5 % on one arm, in turn, of those for which the baseline says that this can be found.
    const std::vector<std::string> arms = arms_that_show_five_percent(each);
    const std::string arm = arms.empty() ? "" : arms[count % arms.size()];
    bool found = false;
    for (const observation& seen : each.run) {
      const expectation& expected = each.expected.at({seen.key, seen.metric});
      const auto is_found = [&](double by) {
        return of(each, slowed({seen}, seen.key.arm, by).front()) == outcome::worse;
      };
      if (seen.key.arm == arm) found = found || is_found(0.05);
      if (expected.detectable_slowdown <= 0.05) slow_cells.add(is_found(0.05));
      if (is_too_noisy(expected)) continue;
      stated.add(is_found(expected.detectable_slowdown));
      at_the_margin.add(is_found(expected.margin));
    }
    if (!arms.empty()) slow_arms.add(found);
  }
  std::cout << "equal runs that fail: " << false_alarms_of_runs << ", ambiguous: " << ambiguous_runs
            << "; arms slowed by 5 % that fail: " << slow_arms << ", their cells: " << slow_cells
            << "; cells slowed by what they state: " << stated << "\n";
  EXPECT_TRUE(false_alarms_of_runs.is_at_most(1)) << false_alarms_of_runs;
  // Not all noise is normal, so more than the 5 of 100 that normal noise would let be.
  EXPECT_TRUE(ambiguous_runs.is_at_most(25)) << ambiguous_runs;
  ASSERT_GT(slow_arms.all, 0u);
  EXPECT_TRUE(slow_arms.is_at_least(95)) << slow_arms;
  EXPECT_TRUE(slow_cells.is_at_least(95)) << slow_cells;
  EXPECT_TRUE(stated.is_at_least(95)) << stated;
  EXPECT_TRUE(at_the_margin.is_at_most(1)) << at_the_margin;
}

INSTANTIATE_TEST_SUITE_P(recorded, calibration,
                         testing::Values("2026-11-30-h200-x2/scatter/report.json",
                                         "2026-11-30-h200-x2/gather/report.json",
                                         "2026-11-30-h200-x2-stage/stage-2.json.gz"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::ranges::replace_if(
                               name, [](unsigned char one) { return !std::isalnum(one); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace ithaca::reports::gate
