#include "backend/watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "backend/host_wait.hpp"
#include "backend/step.hpp"
#include "backend/threads/thread_group.hpp"
#include "validation/unit/failure_of.hpp"
#include "validation/unit/hang_limit.hpp"
#include "validation/unit/told_watch.hpp"

namespace ithaca {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

/// A group of one rank, with a watch.
void with_watch(const std::function<void(thread_group&, told_watch&)>& program) {
  run_thread_ranks(1, [&](thread_group& alone) {
    const auto by = std::make_shared<told_watch>();
    alone.set_watch(by);
    program(alone, *by);
  });
}

TEST(host_wait, ends_soon_when_a_peer_is_gone) {
  told_watch by;
  by.gone = true;
  EXPECT_EQ(failure_of([&] {
              wait_until(std::chrono::steady_clock::now() + hang_limit, &by, 10us,
                         [] { return false; });
            }),
            "rank 1 is gone");
}

TEST(host_wait, goes_on_while_all_live) {
  told_watch by;
  int asked = 0;
  EXPECT_TRUE(wait_until(std::chrono::steady_clock::now() + hang_limit, &by, 1ms,
                         [&] { return ++asked == 2100; }));
  EXPECT_FALSE(wait_until(std::chrono::steady_clock::now() + 1ms, &by, 10us, [] { return false; }));
}

TEST(host_wait, ends_soon_where_no_wait_is_long) {
  told_watch by;
  const auto deadline = std::chrono::steady_clock::now() + hang_limit;
  const auto is_done_at_once = [] { return true; };
  EXPECT_TRUE(wait_until(deadline, &by, 10us, is_done_at_once));
  by.gone = true;
  EXPECT_EQ(failure_of([&] {
              while (std::chrono::steady_clock::now() < deadline) {
                wait_until(deadline, &by, 10us, is_done_at_once);
              }
            }),
            "rank 1 is gone");
}

TEST(host_wait, of_a_stream_ends_soon_when_a_peer_is_gone) {
  host_device device;
  alignas(8) std::uint64_t word = 0;
  const auto held = device.create_stream("held", stream_priority::normal);
  held->wait_value(&word, 1, {});
  told_watch by;
  by.gone = true;
  const auto deadline = std::chrono::steady_clock::now() + hang_limit;
  EXPECT_EQ(failure_of([&] { held->synchronize(deadline, &by); }), "rank 1 is gone");
}

TEST(group, tells_its_watch_before_it_throws) {
  with_watch([](thread_group& ranks, told_watch& by) {
    const step outer(ranks, [] { return "preparing"; });
    const step inner(ranks, [] { return "epoch 7 (tag k)"; });
    const std::string error =
        failure_of([&] { ranks.give_up("waited in vain", [] { return "rank 1 is late"; }); });
    EXPECT_EQ(error, "waited in vain; rank 1 is late; preparing; epoch 7 (tag k)");
    EXPECT_THAT(by.errors, ElementsAre(error));
    EXPECT_THAT(by.causes, ElementsAre("waited in vain"));
    // Where it stands is looked up in a call that may take too long: then there is this to say.
    EXPECT_THAT(by.calls, ElementsAre("waited in vain; preparing; epoch 7 (tag k)", "left"));
  });
}

TEST(group, names_who_is_gone_first_and_nothing_twice) {
  with_watch([](thread_group& ranks, told_watch& by) {
    by.gone = true;
    const step here(ranks, [] { return "epoch 7"; });
    EXPECT_EQ(failure_of([&] { ranks.give_up("a copy failed", [] { return "epoch 7"; }); }),
              "rank 1 is gone; a copy failed; epoch 7");
    EXPECT_EQ(failure_of([&] { ranks.give_up("rank 1 is gone; in a barrier"); }),
              "rank 1 is gone; in a barrier; epoch 7");
    const step inner(ranks, [] { return "preparing at epoch 7"; });
    EXPECT_EQ(failure_of([&] { ranks.give_up("rank 1 is gone; in a barrier"); }),
              "rank 1 is gone; in a barrier; preparing at epoch 7");
  });
}

TEST(group, gives_up_also_where_the_device_answers_nobody) {
  with_watch([](thread_group& ranks, told_watch&) {
    EXPECT_EQ(failure_of([&] {
                ranks.give_up("in vain", []() -> std::string { throw exchange_broken("no GPU"); });
              }),
              "in vain; where it stands can't be read: no GPU");
  });
}

TEST(blocking_call, says_beforehand_what_to_say_where_it_is_late) {
  with_watch([](thread_group& ranks, told_watch& by) {
    const step outer(ranks, [] { return "epoch 0"; });
    const step inner(ranks, [] { return "preparing at epoch 0"; });
    { const blocking_call splitting(ranks, "MPI_Comm_split"); }
    EXPECT_THAT(by.calls,
                ElementsAre("MPI_Comm_split ran out of time; preparing at epoch 0", "left"));
  });
}

TEST(group, forgets_a_step_that_is_over) {
  with_watch([](thread_group& ranks, told_watch& by) {
    {
      const step over(ranks, [] { return "over"; });
    }
    EXPECT_THAT(by.steps(), ElementsAre());
  });
}

TEST(require_done, passes_what_is_done_and_gives_up_on_the_rest) {
  with_watch([](thread_group& ranks, told_watch&) {
    ranks.set_timeout(7ms);
    EXPECT_EQ(failure_of([&] { require_done(ranks, [] { return true; }, {}); }), "no failure");
    EXPECT_EQ(failure_of([&] { require_done(ranks, [] { return false; }, {}); }),
              "waited 7 ms in vain");
    EXPECT_EQ(failure_of([&] {
                require_done(ranks, []() -> bool { throw exchange_broken("a stream broke"); }, {});
              }),
              "a stream broke");
  });
}

TEST(group, gives_up_where_a_collective_call_breaks) {
  run_thread_ranks(2, [](thread_group& ranks) {
    if (ranks.rank() == 1) return;
    const auto by = std::make_shared<told_watch>();
    ranks.set_watch(by);
    ranks.set_timeout(20ms);
    EXPECT_THAT(failure_of([&] { ranks.barrier(); }), testing::HasSubstr("did not come: 1"));
    EXPECT_EQ(by->errors.size(), 1u);
  });
}

}  // namespace
}  // namespace ithaca
