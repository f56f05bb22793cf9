#include "backend/stream.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "backend/observer_slot.hpp"

namespace ithaca {
namespace {

/// Keeps what it is told, and runs nothing.
class recording_stream final : public stream {
 public:
  explicit recording_stream(const observer_slot& observers) : stream("recorder", observers) {}

  void record(event&) override {}
  void wait(const event&) override {}
  bool idle() override { return is_idle; }

  bool is_idle = true;
  std::vector<std::string> log;
  std::vector<operation> operations;

 protected:
  void enqueue_copy(const copy_2d&, const operation& of) override { keep("copy", of); }
  void enqueue_write_value(std::uint64_t*, std::uint64_t, const operation& of) override {
    keep("write", of);
  }
  void enqueue_wait_value(const std::uint64_t*, std::uint64_t, const operation& of) override {
    keep("wait", of);
  }
  void enqueue_kernel(const kernel_call&, const operation& of) override { keep("kernel", of); }

 private:
  void keep(const char* what, const operation& of) {
    log.emplace_back(what);
    operations.push_back(of);
  }
};

class stream_calls : public testing::Test, private observer {
 protected:
  void observe() { observers.set(this); }

  observer_slot observers;
  recording_stream on{observers};
  std::byte source[64] = {};
  std::byte target[64] = {};
  std::uint64_t word = 0;

 private:
  void enqueuing(const operation& of) override {
    on.log.push_back("before " + std::to_string(of.id));
  }
  void enqueued(const operation& of) override {
    on.log.push_back("after " + std::to_string(of.id));
  }
  void executed(const operation&, std::int64_t, std::int64_t) override {}
};

TEST_F(stream_calls, copies_wider_than_a_pitch_are_refused) {
  EXPECT_NO_THROW(on.copy({source, 8, target, 8, 8, 2}, {}));
  on.log.clear();
  EXPECT_THROW(on.copy({source, 7, target, 8, 8, 2}, {}), std::invalid_argument);
  EXPECT_THROW(on.copy({source, 8, target, 7, 8, 2}, {}), std::invalid_argument);
  EXPECT_TRUE(on.log.empty());
}

TEST_F(stream_calls, copies_of_nothing_are_left_out) {
  on.copy({source, 8, target, 8, 0, 2}, {});
  on.copy({source, 8, target, 8, 8, 0}, {});
  EXPECT_TRUE(on.log.empty());
}

TEST_F(stream_calls, are_described_only_to_an_observer) {
  on.copy({source, 8, target, 8, 8, 2}, {"q", 3, 5});
  EXPECT_EQ(on.log, (std::vector<std::string>{"copy"}));
  EXPECT_EQ(on.operations[0].id, 0u);
}

TEST_F(stream_calls, are_bracketed_by_their_observer) {
  observe();
  on.copy({source, 8, target, 8, 8, 2}, {"q", 3, 5});
  on.write_value(&word, 1, {"q", 2, 5});
  on.wait_value(&word, 1, {});
  kernel_call call;
  call.name = "fill_kernel";
  on.launch(call, {"k", -1, 6});

  std::vector<std::string> expected;
  const char* const names[] = {"copy", "write", "wait", "kernel"};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string id = std::to_string(on.operations[i].id);
    expected.insert(expected.end(), {"before " + id, names[i], "after " + id});
    EXPECT_EQ(on.operations[i].stream, "recorder");
    if (i > 0) {
      EXPECT_GT(on.operations[i].id, on.operations[i - 1].id);
    }
  }
  EXPECT_EQ(on.log, expected);

  const operation& copy = on.operations[0];
  EXPECT_EQ(copy.kind, operation_kind::copy);
  EXPECT_EQ(copy.tag, "q");
  EXPECT_EQ(copy.peer, 3);
  EXPECT_EQ(copy.exchange, 5u);
  EXPECT_EQ(copy.bytes, 16u);
  EXPECT_EQ(on.operations[1].kind, operation_kind::write_value);
  EXPECT_EQ(on.operations[1].bytes, 8u);
  EXPECT_EQ(on.operations[2].kind, operation_kind::wait_value);
  EXPECT_EQ(on.operations[3].kind, operation_kind::kernel);
  EXPECT_EQ(on.operations[3].name, "fill_kernel");
}

TEST_F(stream_calls, to_synchronize_give_up_at_the_deadline) {
  EXPECT_TRUE(on.synchronize(std::chrono::steady_clock::now()));
  on.is_idle = false;
  EXPECT_FALSE(on.synchronize(std::chrono::steady_clock::now() + std::chrono::milliseconds(5)));
}

}  // namespace
}  // namespace ithaca
