#include "bench/rank_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <chrono>
#include <functional>
#include <thread>

#include "backend/errors.hpp"
#include "backend/host_wait.hpp"
#include "validation/unit/forked.hpp"

namespace ithaca::bench {
namespace {

using namespace std::chrono_literals;

constexpr int broken_code = 3;

struct ending {
  int exit_code = -1;
  std::string said;
};

/// How a process ends that runs `program` under a watch, and what it says on standard error.
ending end_of(const std::function<void(rank_watch&)>& program) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  forked process([&] {
    dup2(ends[1], STDERR_FILENO);
    rank_watch words("ithaca-test");
    words.begin(2, nullptr);
    program(words);
    return 0;
  });
  close(ends[1]);
  ending seen;
  seen.exit_code = process.exit_status();
  std::array<char, 4096> text{};
  const ssize_t got = read(ends[0], text.data(), text.size());
  if (got > 0) seen.said.assign(text.data(), static_cast<std::size_t>(got));
  close(ends[0]);
  return seen;
}

void do_nothing_for_long() { std::this_thread::sleep_for(hang_limit); }

void wait_in_vain(rank_watch& words) {
  wait_until(std::chrono::steady_clock::now() + hang_limit, &words, 1ms, [] { return false; });
}

TEST(rank_watch, is_silent_about_a_good_end) {
  const ending seen = end_of([](rank_watch&) {});
  EXPECT_EQ(seen.exit_code, 0);
  EXPECT_EQ(seen.said, "");
}

TEST(rank_watch, says_one_line_and_ends_a_process_whose_destructors_hang) {
  const ending seen = end_of([](rank_watch& words) {
    words.give_up("rank 0 is gone; epoch 7", "rank 0 is gone");
    words.give_up("something that came of it", "");
    do_nothing_for_long();
  });
  EXPECT_EQ(seen.exit_code, broken_code);
  EXPECT_EQ(seen.said, "ithaca-test: rank 2: the exchange broke: rank 0 is gone; epoch 7\n");
}

TEST(rank_watch, ends_what_other_threads_wait_for_once_the_rank_gave_up) {
  const ending seen = end_of([](rank_watch& words) {
    words.give_up("rank 0 is gone", "");
    try {
      wait_in_vain(words);
    } catch (const exchange_broken&) {
      std::_Exit(7);
    }
  });
  EXPECT_EQ(seen.exit_code, 7);
}

TEST(rank_watch, ends_what_is_waited_for_at_a_signal) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const ending seen = end_of([signal](rank_watch& words) {
      kill(getpid(), signal);
      try {
        wait_in_vain(words);
      } catch (const exchange_broken& failure) {
        words.give_up(failure.what(), "");
        words.end("said already");
      }
    });
    EXPECT_EQ(seen.exit_code, broken_code);
    EXPECT_EQ(seen.said, std::string("ithaca-test: rank 2: ended by ") +
                             (signal == SIGTERM ? "SIGTERM\n" : "SIGINT\n"));
  }
}

TEST(rank_watch, heeds_signals_that_a_thread_from_before_it_takes) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  forked process([&] {
    dup2(ends[1], STDERR_FILENO);
    std::thread of_a_library(do_nothing_for_long);
    rank_watch words("ithaca-test");
    // The one thread that does not block it gets it.
    pthread_kill(of_a_library.native_handle(), SIGTERM);
    do_nothing_for_long();
    return 0;
  });
  close(ends[1]);
  EXPECT_EQ(process.exit_status(), broken_code);
  std::array<char, 256> text{};
  EXPECT_GT(read(ends[0], text.data(), text.size() - 1), 0);
  EXPECT_STREQ(text.data(), "ithaca-test: ended by SIGTERM in something that takes long\n");
  close(ends[0]);
}

TEST(rank_watch, ends_a_process_that_does_not_come_to_see_the_signal) {
  const ending seen = end_of([](rank_watch&) {
    kill(getpid(), SIGTERM);
    do_nothing_for_long();
  });
  EXPECT_EQ(seen.exit_code, broken_code);
  EXPECT_EQ(seen.said, "ithaca-test: rank 2: ended by SIGTERM in something that takes long\n");
}

TEST(rank_watch, ends_a_call_that_takes_longer_than_it_may) {
  const ending seen = end_of([](rank_watch& words) {
    words.enter_call("splitting ran out of time", std::chrono::steady_clock::now() + 10ms);
    do_nothing_for_long();
  });
  EXPECT_EQ(seen.exit_code, broken_code);
  EXPECT_EQ(seen.said, "ithaca-test: rank 2: the exchange broke: splitting ran out of time\n");
}

TEST(rank_watch, lets_a_call_be_that_ended_in_time) {
  const ending seen = end_of([](rank_watch& words) {
    words.enter_call("splitting ran out of time", std::chrono::steady_clock::now() + 200ms);
    words.leave_call();
    std::this_thread::sleep_for(400ms);
  });
  EXPECT_EQ(seen.exit_code, 0);
  EXPECT_EQ(seen.said, "");
}

class dead_peers final : public watch {
 public:
  std::string in_vain() override { return "rank 1 is gone"; }
  void give_up(const std::string&, const std::string&) override {}
};

TEST(rank_watch, ends_a_call_that_a_dead_peer_holds_up) {
  const ending seen = end_of([](rank_watch& words) {
    words.begin(2, std::make_shared<dead_peers>());
    words.enter_call("splitting", std::chrono::steady_clock::now() + hang_limit);
    do_nothing_for_long();
  });
  EXPECT_EQ(seen.exit_code, broken_code);
  EXPECT_EQ(seen.said, "ithaca-test: rank 2: the exchange broke: rank 1 is gone; splitting\n");
}

}  // namespace
}  // namespace ithaca::bench
