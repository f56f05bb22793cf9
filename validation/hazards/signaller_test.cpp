#include "backend/signaller.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>

#include "backend/host/host_device.hpp"
#include "kernels/delay.hpp"
#include "validation/unit/hang_limit.hpp"

namespace ithaca {
namespace {

using namespace std::chrono_literals;

class each_signal : public testing::TestWithParam<signal_kind> {};

/// A value may not be seen before what was enqueued ahead of it has run, also when later signals
/// are enqueued long before it is sent.
TEST_P(each_signal, arrives_behind_what_it_announces) {
  host_device on;
  const auto words = on.allocate(3 * sizeof(std::uint64_t));
  on.write(std::vector<std::byte>(words->size_bytes()), words->data());
  auto* const first = reinterpret_cast<std::uint64_t*>(words->data());
  const std::array to{peer_word{0, first}, peer_word{1, first + 1}};
  std::atomic<std::uint64_t> announced = 0;
  std::atomic<int> early = 0;

  const signaller signals(GetParam(), first + 2);
  const auto sender = on.create_stream("sender", stream_priority::normal);
  const auto receiver = on.create_stream("receiver", stream_priority::normal);
  for (std::uint64_t epoch = 1; epoch <= 20; ++epoch) {
    sender->launch(kernels::delay(1ms), {});
    kernel_call announce;
    announce.name = "announce";
    announce.host = [&announced, epoch] { announced = epoch; };
    sender->launch(announce, {});
    signals.signal(*sender, to, epoch, {"t", 0, epoch});
    for (const peer_word& each : to) {
      receiver->wait_value(each.address, epoch, {});
      kernel_call look;
      look.name = "look";
      look.host = [&, word = each.address] {
        std::uint64_t seen = 0;
        on.read(reinterpret_cast<const std::byte*>(word),
                std::as_writable_bytes(std::span(&seen, 1)));
        early += seen > announced;
      };
      receiver->launch(look, {});
    }
  }
  const auto deadline = std::chrono::steady_clock::now() + hang_limit;
  ASSERT_TRUE(sender->synchronize(deadline) && receiver->synchronize(deadline));
  EXPECT_EQ(early, 0);
  EXPECT_EQ(announced, 20u);
}

INSTANTIATE_TEST_SUITE_P(all, each_signal,
                         testing::Values(signal_kind::stream_write, signal_kind::staged_copy,
                                         signal_kind::kernel),
                         [](const auto& of) {
                           if (of.param == signal_kind::kernel) return "by_kernel";
                           return of.param == signal_kind::staged_copy ? "staged" : "written";
                         });

}  // namespace
}  // namespace ithaca
