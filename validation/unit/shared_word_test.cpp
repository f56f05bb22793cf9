#include "backend/host/shared_word.hpp"

#include <gtest/gtest.h>

#include "validation/unit/forked.hpp"

namespace ithaca {
namespace {

using namespace std::chrono_literals;

struct words {
  std::uint64_t about_to_sleep;
  std::uint64_t awaited;
  std::uint64_t payload;
};

TEST(shared_word, wakes_a_waiter_that_sleeps_in_another_process) {
  shared_value<words> shared;
  // Sleeps for longer than anyone waits for it, unless it is woken.
  forked waiter([&] {
    store_and_wake(&shared->about_to_sleep, 1);
    return sleep_until_reached(&shared->awaited, 7, 10 * hang_limit) ? 0 : 1;
  });
  while (!sleep_until_reached(&shared->about_to_sleep, 1, 10ms)) {
  }
  ASSERT_TRUE(waiter.sleeps());
  store_and_wake(&shared->awaited, 7);
  EXPECT_EQ(waiter.exit_status(), 0);
}

TEST(shared_word, carries_what_was_written_before_it) {
  shared_value<words> shared;
  forked writer([&] {
    shared->payload = 42;
    store_and_wake(&shared->awaited, 1);
    return 0;
  });
  bool reached = false;
  const auto end = std::chrono::steady_clock::now() + hang_limit;
  while (!reached && std::chrono::steady_clock::now() < end) {
    reached = sleep_until_reached(&shared->awaited, 1, 100ms);
  }
  ASSERT_TRUE(reached);
  EXPECT_EQ(shared->payload, 42u);
  EXPECT_EQ(writer.exit_status(), 0);
}

TEST(shared_word, is_not_reached_by_a_smaller_value) {
  std::uint64_t word = 6;
  EXPECT_FALSE(sleep_until_reached(&word, 7, 1ms));
  store_and_wake(&word, 8);
  EXPECT_TRUE(sleep_until_reached(&word, 7, 1ms));
  EXPECT_EQ(load(&word), 8u);
}

TEST(shared_word, compares_by_signed_difference_so_that_epochs_wrap) {
  constexpr std::uint64_t last = ~std::uint64_t{0};
  EXPECT_TRUE(has_reached(5, 5));
  EXPECT_TRUE(has_reached(6, 5));
  EXPECT_FALSE(has_reached(4, 5));
  EXPECT_TRUE(has_reached(0, last));
  EXPECT_TRUE(has_reached(3, last - 3));
  EXPECT_FALSE(has_reached(last, 0));
  EXPECT_FALSE(has_reached(last - 3, 3));
}

}  // namespace
}  // namespace ithaca
