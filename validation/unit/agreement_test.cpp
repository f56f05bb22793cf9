#include "backend/agreement.hpp"

#include <gtest/gtest.h>

#include "backend/errors.hpp"
#include "backend/threads/thread_group.hpp"

namespace ithaca {
namespace {

/// What `require_eligible` says when the ranks bring these reasons: the same on all of them.
std::string verdict(const std::vector<std::string>& reasons) {
  std::vector<std::string> said(reasons.size(), "eligible");
  run_thread_ranks(static_cast<int>(reasons.size()), [&](thread_group& ranks) {
    const auto at = static_cast<std::size_t>(ranks.rank());
    try {
      require_eligible(ranks, reasons[at]);
    } catch (const not_eligible& refusal) {
      said[at] = refusal.what();
    }
  });
  for (const std::string& each : said) EXPECT_EQ(each, said[0]);
  return said[0];
}

TEST(agreement, all_are_eligible_if_nobody_has_a_reason) {
  EXPECT_EQ(verdict({"", "", ""}), "eligible");
}

TEST(agreement, one_reason_stops_everyone_and_says_whose_it_is) {
  EXPECT_EQ(verdict({"", "", "out of memory"}), "rank 2: out of memory");
  EXPECT_EQ(verdict({"out of memory", "", ""}), "rank 0: out of memory");
}

TEST(agreement, all_reasons_are_told) {
  EXPECT_EQ(verdict({"no peer access", "", "out of memory"}),
            "rank 0: no peer access; rank 2: out of memory");
}

TEST(agreement, a_reason_that_all_have_is_said_once) {
  EXPECT_EQ(verdict({"uneven shares", "uneven shares", "uneven shares"}), "uneven shares");
}

TEST(agreement, the_same_text_everywhere_is_accepted) {
  run_thread_ranks(3, [](thread_group& ranks) {
    EXPECT_NO_THROW(require_same(ranks, "arguments", "--seed 1"));
  });
}

TEST(agreement, a_different_text_is_refused_on_every_rank_and_shown) {
  run_thread_ranks(3, [](thread_group& ranks) {
    try {
      require_same(ranks, "arguments", ranks.rank() == 2 ? "--seed 2" : "--seed 1");
      ADD_FAILURE() << "accepted on rank " << ranks.rank();
    } catch (const invalid_use& refusal) {
      EXPECT_STREQ(
          refusal.what(),
          "ranks were given different arguments: rank 0 has --seed 1, rank 2 has --seed 2");
    }
  });
}

TEST(agreement, what_one_rank_can_not_do_is_refused_on_every_rank) {
  run_thread_ranks(3, [](thread_group& ranks) {
    EXPECT_NO_THROW(require_valid(ranks, ""));
    try {
      require_valid(ranks, ranks.rank() == 1 ? "no such file" : "");
      ADD_FAILURE() << "accepted";
    } catch (const invalid_use& refusal) {
      EXPECT_STREQ(refusal.what(), "no such file");
    }
  });
}

}  // namespace
}  // namespace ithaca
