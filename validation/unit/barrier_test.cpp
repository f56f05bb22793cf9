#include "kernels/barrier.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ithaca::kernels {
namespace {

TEST(barrier, says_which_words_its_kernels_write_and_await) {
  std::uint64_t words[2] = {};
  const kernel_call told = signal({{&words[0], 3}, {&words[1], 3}});
  EXPECT_EQ(told.name, "signal_kernel");
  ASSERT_EQ(told.signals.after.size(), 2u);
  EXPECT_EQ(told.signals.after[1].address, &words[1]);
  const kernel_call heard = await({{&words[0], 3}}, 1);
  EXPECT_EQ(heard.name, "await_kernel");
  ASSERT_EQ(heard.signals.last.size(), 1u);
  EXPECT_EQ(heard.signals.last[0].value, 3u);
  EXPECT_TRUE(heard.reads.empty() && heard.writes.empty());
}

TEST(barrier, refuses_what_does_not_fit_a_launch) {
  EXPECT_THROW(signal(std::vector<signalled_word>(max_barrier_words + 1)), std::length_error);
  EXPECT_THROW(await(std::vector<awaited_word>(max_barrier_words + 1), 1), std::length_error);
  EXPECT_THROW(await({}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace ithaca::kernels
