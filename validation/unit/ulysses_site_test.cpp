#include "bench/ulysses_site.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ithaca::bench {
namespace {

using ranks = std::vector<int>;

TEST(ulysses_ranks, lie_apart_since_the_tensor_parallel_index_is_innermost) {
  EXPECT_EQ(ulysses_ranks(0, 4, 2), (ranks{0, 2}));
  EXPECT_EQ(ulysses_ranks(2, 4, 2), (ranks{0, 2}));
  EXPECT_EQ(ulysses_ranks(1, 4, 2), (ranks{1, 3}));
  EXPECT_EQ(ulysses_ranks(3, 4, 2), (ranks{1, 3}));
  EXPECT_EQ(ulysses_ranks(3, 4, 4), (ranks{0, 1, 2, 3}));
  EXPECT_EQ(ulysses_ranks(5, 8, 4), (ranks{1, 3, 5, 7}));
  EXPECT_EQ(ulysses_ranks(2, 4, 1), (ranks{2}));
}

TEST(ulysses_ranks, put_every_rank_into_one_group_of_the_degree) {
  for (const int size : {2, 4, 6, 8, 12}) {
    for (int degree = 1; degree <= size; ++degree) {
      if (size % degree != 0) continue;
      std::set<ranks> groups;
      std::multiset<int> members;
      for (int rank = 0; rank < size; ++rank) groups.insert(ulysses_ranks(rank, size, degree));
      for (const ranks& group : groups) {
        EXPECT_EQ(group.size(), static_cast<std::size_t>(degree));
        members.insert(group.begin(), group.end());
      }
      EXPECT_EQ(groups.size(), static_cast<std::size_t>(size / degree));
      EXPECT_EQ(std::set(members.begin(), members.end()).size(), static_cast<std::size_t>(size));
    }
  }
}

}  // namespace
}  // namespace ithaca::bench
