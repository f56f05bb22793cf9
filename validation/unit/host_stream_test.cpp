#include "backend/host/host_stream.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>

#include "backend/host/host_event.hpp"
#include "backend/host/shared_word.hpp"
#include "backend/observer_slot.hpp"
#include "validation/unit/hang_limit.hpp"

namespace ithaca {
namespace {

using namespace std::chrono_literals;

kernel_call host_call(std::function<void()> work) {
  kernel_call call;
  call.name = "host_call";
  call.host = std::move(work);
  return call;
}

std::chrono::steady_clock::time_point in(auto duration) {
  return std::chrono::steady_clock::now() + duration;
}

/// A stream on which nothing enqueued after `close` runs before `open`.
class gated_stream {
 public:
  explicit gated_stream(const observer_slot& observers) : on("gated", observers) {}
  void close() { on.wait_value(&gate_, ++closed_, {}); }
  void open() { store_and_wake(&gate_, closed_); }

 private:
  std::uint64_t gate_ = 0;
  std::uint64_t closed_ = 0;

 public:
  host_stream on;  // last: goes first, and looks at the gate until then
};

class host_streams : public testing::Test {
 protected:
  /// Whether a stream gets done; it must not be waiting for anything that this thread does later.
  static bool ends(stream& on) { return on.synchronize(in(hang_limit)); }
  /// Whether a stream is seen held up. Right ones always are, wrong ones with near certainty not.
  static bool is_held(stream& on) { return !on.synchronize(in(20ms)); }

  observer_slot observers;
  gated_stream first{observers};
  gated_stream second{observers};
};

TEST_F(host_streams, let_a_caller_wait_who_enqueues_more_than_fits) {
  first.close();
  const auto ran = std::make_shared<std::atomic<std::size_t>>(0);
  constexpr std::size_t more = host_stream::queue_depth + 8;
  std::future<void> enqueued = std::async(std::launch::async, [&, ran] {
    for (std::size_t i = 0; i < more; ++i) first.on.launch(host_call([ran] { ++*ran; }), {});
  });
  EXPECT_EQ(enqueued.wait_for(50ms), std::future_status::timeout);
  first.open();
  EXPECT_EQ(enqueued.wait_for(hang_limit), std::future_status::ready);
  EXPECT_TRUE(ends(first.on));
  EXPECT_EQ(*ran, more);
}

TEST_F(host_streams, run_everything_in_the_order_of_enqueuing) {
  std::vector<int> order;
  first.close();
  for (int i = 0; i < 100; ++i) first.on.launch(host_call([&order, i] { order.push_back(i); }), {});
  EXPECT_FALSE(first.on.idle());
  first.open();
  ASSERT_TRUE(ends(first.on));
  ASSERT_EQ(order.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST_F(host_streams, copy_rows_and_nothing_between_them) {
  std::vector<std::byte> source(20), target(30, std::byte{0xee});
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i);
  first.on.copy({source.data(), 5, target.data(), 7, 3, 4}, {});
  ASSERT_TRUE(ends(first.on));
  for (std::size_t i = 0; i < target.size(); ++i) {
    const bool copied = i / 7 < 4 && i % 7 < 3;
    EXPECT_EQ(target[i], copied ? source[i / 7 * 5 + i % 7] : std::byte{0xee}) << i;
  }
}

TEST_F(host_streams, signal_after_everything_before_the_signal) {
  std::uint64_t signal = 0;
  int made = 0, seen = 0;
  first.close();
  first.on.launch(host_call([&] { made = 1; }), {});
  first.on.write_value(&signal, 5, {});
  second.on.wait_value(&signal, 5, {});
  second.on.launch(host_call([&] { seen = made; }), {});
  EXPECT_TRUE(is_held(second.on));
  first.open();
  ASSERT_TRUE(ends(second.on));
  EXPECT_EQ(seen, 1);
  ASSERT_TRUE(ends(first.on));
}

TEST_F(host_streams, wait_for_a_value_or_any_later_one) {
  std::uint64_t signal = 7;
  first.on.wait_value(&signal, 5, {});
  EXPECT_TRUE(ends(first.on));
  signal = 2;  // eight past -6: the difference is signed
  first.on.wait_value(&signal, static_cast<std::uint64_t>(-6), {});
  EXPECT_TRUE(ends(first.on));
}

TEST_F(host_streams, wait_for_an_event_of_another_stream) {
  host_event event;
  int made = 0, seen = 0;
  first.close();
  first.on.launch(host_call([&] { made = 1; }), {});
  first.on.record(event);
  second.on.wait(event);
  second.on.launch(host_call([&] { seen = made; }), {});
  EXPECT_TRUE(is_held(second.on));
  first.open();
  ASSERT_TRUE(ends(second.on));
  EXPECT_EQ(seen, 1);
}

TEST_F(host_streams, keep_the_record_that_was_the_latest_when_they_were_told_to_wait) {
  host_event event;
  first.on.record(event);
  second.close();
  second.on.wait(event);
  // Recorded again ahead of its waiter: the new record is far off.
  first.close();
  first.on.record(event);
  second.open();
  EXPECT_TRUE(ends(second.on));
  // A wait that is told now means the new record.
  second.on.wait(event);
  EXPECT_TRUE(is_held(second.on));
  first.open();
  EXPECT_TRUE(ends(second.on));
}

TEST_F(host_streams, are_not_held_by_an_event_that_was_never_recorded) {
  const host_event event;
  first.on.wait(event);
  EXPECT_TRUE(ends(first.on));
}

TEST_F(host_streams, may_outlive_the_events_that_they_wait_for) {
  first.close();
  {
    host_event event;
    first.on.record(event);
    second.on.wait(event);
  }
  first.open();
  EXPECT_TRUE(ends(second.on));
}

TEST_F(host_streams, keep_the_first_failure_and_run_nothing_after_it) {
  bool went_on = false;
  first.close();
  first.on.launch(host_call([] { throw std::runtime_error("first"); }), {});
  first.on.launch(host_call([&] {
                    went_on = true;
                    throw std::runtime_error("second");
                  }),
                  {});
  first.open();
  for (int again = 0; again < 2; ++again) {
    try {
      ends(first.on);
      FAIL() << "no failure came out";
    } catch (const std::runtime_error& failure) {
      EXPECT_STREQ(failure.what(), "first");
    }
  }
  first.on.launch(host_call([&] { went_on = true; }), {});
  EXPECT_THROW(first.on.idle(), std::runtime_error);
  EXPECT_FALSE(went_on);
}

/// Whether the destructor of a stream that waits for what never comes ends by itself.
bool is_destroyed(std::unique_ptr<host_stream> blocked, const std::function<void()>& unblock) {
  auto gone =
      std::async(std::launch::async, [stream = std::move(blocked)]() mutable { stream.reset(); });
  const bool ended = gone.wait_for(hang_limit) == std::future_status::ready;
  if (!ended) unblock();
  return ended;
}

TEST_F(host_streams, are_destroyed_while_they_wait_for_a_value) {
  std::uint64_t never = 0;
  std::promise<void> started;
  bool went_on = false;
  auto blocked = std::make_unique<host_stream>("blocked", observers);
  blocked->launch(host_call([&] { started.set_value(); }), {});
  blocked->wait_value(&never, 1, {});
  blocked->launch(host_call([&] { went_on = true; }), {});
  EXPECT_EQ(started.get_future().wait_for(hang_limit), std::future_status::ready);
  EXPECT_TRUE(is_destroyed(std::move(blocked), [&] { store_and_wake(&never, 1); }));
  EXPECT_FALSE(went_on);
}

TEST_F(host_streams, are_destroyed_while_they_wait_for_an_event) {
  host_event event;
  std::promise<void> started;
  bool went_on = false;
  first.close();
  first.on.record(event);
  auto blocked = std::make_unique<host_stream>("blocked", observers);
  blocked->launch(host_call([&] { started.set_value(); }), {});
  blocked->wait(event);
  blocked->launch(host_call([&] { went_on = true; }), {});
  EXPECT_EQ(started.get_future().wait_for(hang_limit), std::future_status::ready);
  EXPECT_TRUE(is_destroyed(std::move(blocked), [&] { first.open(); }));
  EXPECT_FALSE(went_on);
  first.open();
}

TEST_F(host_streams, destroyed_in_a_kernel_that_waits_for_others_neither_run_it_nor_signal) {
  std::uint64_t never = 0, signal = 0;
  std::promise<void> started;
  bool ran = false;
  auto blocked = std::make_unique<host_stream>("blocked", observers);
  blocked->launch(host_call([&] { started.set_value(); }), {});
  kernel_call call = host_call([&] { ran = true; });
  call.signals.before = {{&never, 1}};
  call.signals.after = {{&signal, 1}};
  blocked->launch(call, {});
  EXPECT_EQ(started.get_future().wait_for(hang_limit), std::future_status::ready);
  EXPECT_TRUE(is_destroyed(std::move(blocked), [&] { store_and_wake(&never, 1); }));
  EXPECT_FALSE(ran);
  EXPECT_EQ(signal, 0u);
}

/// Keeps what was executed; on one stream, so on one thread.
class executions final : public observer {
 public:
  struct span {
    operation what;
    std::int64_t start_ns, end_ns;
  };
  void enqueuing(const operation&) override {}
  void enqueued(const operation&) override {}
  void executed(const operation& what, std::int64_t start_ns, std::int64_t end_ns) override {
    spans.push_back({what, start_ns, end_ns});
  }
  std::vector<span> spans;
};

TEST_F(host_streams, tell_their_observer_what_ran_and_when) {
  executions seen;
  std::byte from[4] = {}, to[4] = {};
  const std::int64_t before_ns = monotonic_ns();
  observers.set(&seen);
  first.on.copy({from, 4, to, 4, 4, 1}, {"v", 1, 9});
  first.on.launch(host_call([] {}), {});
  observers.set(nullptr);
  first.on.launch(host_call([] {}), {});
  ASSERT_TRUE(ends(first.on));
  ASSERT_EQ(seen.spans.size(), 2u);
  EXPECT_EQ(seen.spans[0].what.tag, "v");
  EXPECT_EQ(seen.spans[0].what.bytes, 4u);
  EXPECT_EQ(seen.spans[1].what.name, "host_call");
  EXPECT_LE(before_ns, seen.spans[0].start_ns);
  EXPECT_LE(seen.spans[0].start_ns, seen.spans[0].end_ns);
  EXPECT_LE(seen.spans[0].end_ns, seen.spans[1].start_ns);
  EXPECT_LE(seen.spans[1].end_ns, monotonic_ns());
}

}  // namespace
}  // namespace ithaca
