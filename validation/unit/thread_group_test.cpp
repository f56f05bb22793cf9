#include "backend/threads/thread_group.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

using namespace std::chrono_literals;

TEST(thread_group, gathers_bytes_of_different_lengths_by_rank) {
  run_thread_ranks(3, [](thread_group& ranks) {
    for (std::size_t round = 0; round < 300; ++round) {
      const auto bytes_of = [&](int rank) {
        const std::size_t length = (round + static_cast<std::size_t>(rank)) % 3 * 50;
        return std::vector(length, static_cast<std::byte>(10 * rank + static_cast<int>(round)));
      };
      const std::vector<std::byte> mine = bytes_of(ranks.rank());
      const auto all = ranks.all_gather(mine);
      ASSERT_EQ(all.size(), 3u);
      for (int rank = 0; rank < 3; ++rank) {
        ASSERT_EQ(all[static_cast<std::size_t>(rank)], bytes_of(rank)) << "round " << round;
      }
    }
  });
}

TEST(thread_group, gathers_texts) {
  run_thread_ranks(3, [](thread_group& ranks) {
    const auto all =
        ranks.all_gather_text(std::string(static_cast<std::size_t>(ranks.rank()), 'x'));
    EXPECT_EQ(all, (std::vector<std::string>{"", "x", "xx"}));
  });
}

TEST(thread_group, agrees_only_if_all_do) {
  run_thread_ranks(3, [](thread_group& ranks) {
    EXPECT_TRUE(ranks.agree(true));
    EXPECT_FALSE(ranks.agree(false));
    for (int against = 0; against < 3; ++against) {
      EXPECT_FALSE(ranks.agree(ranks.rank() != against));
    }
  });
}

TEST(thread_group, finds_the_maximum_and_the_sum) {
  run_thread_ranks(3, [](thread_group& ranks) {
    EXPECT_EQ(ranks.maximum(-5 * (ranks.rank() + 1)), -5);
    EXPECT_EQ(ranks.maximum(ranks.rank() == 1 ? 1'000'000'000'000 : 0), 1'000'000'000'000);
    EXPECT_EQ(ranks.sum(ranks.rank() - 4), -9);
  });
}

TEST(thread_group, meets_at_barriers) {
  std::atomic<int> arrived = 0;
  run_thread_ranks(4, [&](thread_group& ranks) {
    for (int round = 1; round <= 100; ++round) {
      ++arrived;
      ranks.barrier();
      EXPECT_EQ(arrived, 4 * round);
      ranks.barrier();
    }
  });
}

TEST(thread_group, hands_out_no_descriptors_since_its_ranks_share_memory) {
  run_thread_ranks(2, [](thread_group& ranks) {
    EXPECT_TRUE(ranks.same_process(1 - ranks.rank()));
    const auto all = ranks.all_gather_descriptors({});
    ASSERT_EQ(all.size(), 2u);
    EXPECT_FALSE(all[0] || all[1]);
  });
}

TEST(thread_group, counts_its_collectives) {
  run_thread_ranks(2, [](thread_group& ranks) {
    ranks.barrier();
    ranks.agree(true);
    ranks.sum(1);
    ranks.all_gather({});
    ranks.hosts();
    ranks.all_gather_descriptors({});
    EXPECT_EQ(ranks.collective_count(), 6u);
  });
}

TEST(thread_group, names_the_ranks_that_did_not_come) {
  const auto failures_without = [](const std::vector<int>& absent) {
    std::mutex mutex;
    std::set<std::string> said;
    run_thread_ranks(4, [&](thread_group& ranks) {
      ranks.barrier();  // who came to an earlier call counts for nothing
      if (std::ranges::find(absent, ranks.rank()) != absent.end()) return;
      ranks.set_timeout(300ms);
      try {
        ranks.barrier();
        ADD_FAILURE() << "rank " << ranks.rank() << " came through";
      } catch (const exchange_broken& failure) {
        const std::lock_guard lock(mutex);
        said.insert(failure.what());
      }
    });
    return said;
  };
  const std::string message = "a group call ran out of time; ranks that did not come: ";
  EXPECT_EQ(failures_without({2}), std::set{message + "2"});
  EXPECT_EQ(failures_without({1, 3}), std::set{message + "1 3"});
}

TEST(thread_group, rethrows_the_failure_of_the_lowest_rank) {
  try {
    run_thread_ranks(4, [](thread_group& ranks) {
      ranks.barrier();
      if (ranks.rank() >= 2) throw std::runtime_error("rank " + std::to_string(ranks.rank()));
    });
    FAIL() << "no failure came out";
  } catch (const std::runtime_error& failure) {
    EXPECT_STREQ(failure.what(), "rank 2");
  }
}

}  // namespace
}  // namespace ithaca
