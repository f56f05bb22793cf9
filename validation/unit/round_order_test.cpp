#include "bench/round_order.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace ithaca::bench {
namespace {

TEST(round_order, gives_every_cell_every_place_once_a_block) {
  for (const std::size_t cells : {1u, 2u, 3u, 5u, 12u}) {
    const auto rounds = balanced_rounds(cells, 4 * cells, 42);
    ASSERT_EQ(rounds.size(), 4 * cells);
    for (std::size_t block = 0; block < 4; ++block) {
      std::set<std::pair<std::size_t, std::size_t>> cell_and_place;
      for (std::size_t round = block * cells; round < (block + 1) * cells; ++round) {
        ASSERT_EQ(rounds[round].size(), cells);
        for (std::size_t place = 0; place < cells; ++place) {
          ASSERT_LT(rounds[round][place], cells);
          cell_and_place.emplace(rounds[round][place], place);
        }
      }
      EXPECT_EQ(cell_and_place.size(), cells * cells) << cells << " cells, block " << block;
    }
  }
}

/// How often each cell follows each other one inside a round, in `blocks` blocks.
std::map<std::pair<std::size_t, std::size_t>, int> followers(std::size_t cells,
                                                             std::size_t blocks) {
  std::map<std::pair<std::size_t, std::size_t>, int> times;
  for (const auto& round : balanced_rounds(cells, blocks * cells, 5)) {
    for (std::size_t place = 1; place < cells; ++place) ++times[{round[place - 1], round[place]}];
  }
  return times;
}

TEST(round_order, lets_every_cell_follow_every_other_one_equally_often) {
  for (const std::size_t cells : {2u, 4u, 12u, 44u, 3u, 5u, 37u}) {
    const std::size_t blocks = cells % 2 == 0 ? 1 : 2;
    const auto times = followers(cells, blocks);
    EXPECT_EQ(times.size(), cells * (cells - 1)) << cells;
    for (const auto& [pair, count] : times) EXPECT_EQ(count, static_cast<int>(blocks)) << cells;
  }
}

TEST(round_order, runs_every_cell_in_rounds_that_fill_no_block) {
  for (const auto& round : balanced_rounds(7, 3, 1)) {
    EXPECT_EQ(std::set(round.begin(), round.end()).size(), 7u);
  }
}

TEST(round_order, is_the_same_for_the_same_seed) {
  EXPECT_EQ(balanced_rounds(9, 20, 7), balanced_rounds(9, 20, 7));
  // On every machine: what this seed gave when it was written down.
  EXPECT_EQ(balanced_rounds(5, 1, 7)[0], (std::vector<std::size_t>{1, 3, 0, 4, 2}));
}

TEST(round_order, differs_between_seeds_and_between_blocks) {
  std::set<std::vector<std::vector<std::size_t>>> orders;
  for (std::uint64_t seed = 0; seed < 50; ++seed) orders.insert(balanced_rounds(9, 9, seed));
  EXPECT_EQ(orders.size(), 50u);
  const auto rounds = balanced_rounds(9, 18, 3);
  EXPECT_NE(std::vector(rounds.begin(), rounds.begin() + 9),
            std::vector(rounds.begin() + 9, rounds.end()));
}

TEST(round_order, of_nothing_is_nothing) {
  EXPECT_TRUE(balanced_rounds(3, 0, 1).empty());
  EXPECT_EQ(balanced_rounds(0, 2, 1), (std::vector<std::vector<std::size_t>>(2)));
}

}  // namespace
}  // namespace ithaca::bench
