// The push exchange as the host runs it: the bytes here, its signals by whoever runs the call.

#include "kernels/push_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "backend/host/host_device.hpp"

namespace ithaca::kernels {
namespace {

constexpr int ctas = 4;

/// Rows that lie apart, out of one buffer into another.
struct strided_regions {
  static constexpr std::size_t width = 7;
  static constexpr std::size_t source_pitch = 12;
  static constexpr std::size_t target_pitch = 9;
  static constexpr std::size_t height = 3;

  std::size_t count;
  std::vector<std::byte> source = std::vector<std::byte>(count * height * source_pitch);
  std::vector<std::byte> target = std::vector<std::byte>(count * height * target_pitch);

  explicit strided_regions(std::size_t number) : count(number) {
    for (std::size_t at = 0; at < source.size(); ++at) {
      source[at] = static_cast<std::byte>(1 + at % 251);
    }
  }

  std::vector<copy_region> regions() {
    std::vector<copy_region> all;
    for (std::size_t index = 0; index < count; ++index) {
      all.push_back({source.data() + index * height * source_pitch, source_pitch,
                     target.data() + index * height * target_pitch, target_pitch, width, height});
    }
    return all;
  }

  std::vector<std::byte> expected() const {
    std::vector<std::byte> all(target.size());
    for (std::size_t row = 0; row < count * height; ++row) {
      std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(row * source_pitch), width,
                  all.begin() + static_cast<std::ptrdiff_t>(row * target_pitch));
    }
    return all;
  }
};

std::uint32_t blocks_done = 0;

TEST(push_exchange, moves_every_row_of_as_many_regions_as_fit_and_nothing_else) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{9}, max_exchange_regions}) {
    strided_regions of(count);
    const kernel_call call = push_exchange(of.regions(), {}, &blocks_done, ctas);
    EXPECT_EQ(call.name, "push_exchange_kernel");
    call.host();
    EXPECT_EQ(of.target, of.expected()) << count << " regions";
    EXPECT_EQ(blocks_done, 0u);
  }
}

TEST(push_exchange, declares_what_it_reads_and_writes) {
  strided_regions of(2);
  const std::vector<copy_region> regions = of.regions();
  const kernel_call call = push_exchange(regions, {}, &blocks_done, ctas);
  ASSERT_EQ(call.reads.size(), 2u);
  ASSERT_EQ(call.writes.size(), 2u);
  for (std::size_t index = 0; index < 2; ++index) {
    EXPECT_EQ(call.reads[index].data, regions[index].source);
    EXPECT_EQ(call.reads[index].pitch, of.source_pitch);
    EXPECT_EQ(call.writes[index].data, regions[index].target);
    EXPECT_EQ(call.writes[index].pitch, of.target_pitch);
    EXPECT_EQ(call.writes[index].width, of.width);
    EXPECT_EQ(call.writes[index].height, of.height);
  }
}

TEST(push_exchange, carries_its_signals_as_they_were_given) {
  std::uint64_t words[6] = {};
  const kernel_signals given = {.before = {{&words[0], 3}, {&words[1], 5}},
                                .after = {{&words[2], 7}},
                                .sent = {&words[4], 11},
                                .last = {{&words[3], 9}},
                                .ended = {&words[5], 13}};
  strided_regions of(1);
  const kernel_call call = push_exchange(of.regions(), given, &blocks_done, ctas);
  ASSERT_EQ(call.signals.before.size(), 2u);
  ASSERT_EQ(call.signals.after.size(), 1u);
  ASSERT_EQ(call.signals.last.size(), 1u);
  EXPECT_EQ(call.signals.before[0].address, &words[0]);
  EXPECT_EQ(call.signals.before[0].value, 3u);
  EXPECT_EQ(call.signals.before[1].address, &words[1]);
  EXPECT_EQ(call.signals.before[1].value, 5u);
  EXPECT_EQ(call.signals.after[0].address, &words[2]);
  EXPECT_EQ(call.signals.after[0].value, 7u);
  EXPECT_EQ(call.signals.last[0].address, &words[3]);
  EXPECT_EQ(call.signals.last[0].value, 9u);
  EXPECT_EQ(call.signals.sent.address, &words[4]);
  EXPECT_EQ(call.signals.ended.address, &words[5]);
  call.host();
  EXPECT_TRUE(std::ranges::all_of(words, [](std::uint64_t word) { return word == 0; }))
      << "they are left to whoever runs the call";
}

TEST(push_exchange, without_regions_still_signals) {
  host_device on;
  const auto page = on.allocate(4 * sizeof(std::uint64_t));
  auto* const words = reinterpret_cast<std::uint64_t*>(page->data());
  std::fill_n(words, 4, 0u);
  const auto stream = on.create_stream("any", stream_priority::normal);
  const kernel_call call = push_exchange({},
                                         {.before = {{&words[0], 1}},
                                          .after = {{&words[1], 2}, {&words[3], 4}},
                                          .sent = {},
                                          .last = {{&words[2], 3}},
                                          .ended = {}},
                                         &blocks_done, ctas);
  EXPECT_TRUE(call.reads.empty());
  EXPECT_TRUE(call.writes.empty());
  stream->launch(call, {});
  const auto soon = [] { return std::chrono::steady_clock::now() + std::chrono::milliseconds(50); };
  EXPECT_FALSE(stream->synchronize(soon())) << "went on before its first words had come";
  EXPECT_EQ(words[1], 0u);
  const auto other = on.create_stream("other", stream_priority::normal);
  const auto in_time = [] { return std::chrono::steady_clock::now() + std::chrono::seconds(20); };
  other->write_value(&words[0], 1, {});
  other->wait_value(&words[1], 2, {});
  ASSERT_TRUE(other->synchronize(in_time()));
  EXPECT_FALSE(stream->synchronize(soon())) << "ended before its last words had come";
  other->write_value(&words[2], 3, {});
  ASSERT_TRUE(stream->synchronize(in_time()));
  EXPECT_EQ(words[1], 2u);
  EXPECT_EQ(words[3], 4u);
}

TEST(push_exchange, refuses_more_regions_than_fit_one_launch) {
  strided_regions of(max_exchange_regions + 1);
  EXPECT_THROW(push_exchange(of.regions(), {}, &blocks_done, ctas), std::length_error);
  // What has no bytes takes no place.
  std::vector<copy_region> one_empty = of.regions();
  one_empty.front().height = 0;
  EXPECT_NO_THROW(push_exchange(one_empty, {}, &blocks_done, ctas));
}

TEST(push_exchange, refuses_more_words_of_a_kind_than_fit_one_launch) {
  std::uint64_t word = 0;
  for (const std::size_t count : {max_signal_words, max_signal_words + 1}) {
    const std::vector<awaited_word> awaited(count, {&word, 1});
    const std::vector<signalled_word> signalled(count, {&word, 1});
    for (const kernel_signals& given :
         {kernel_signals{.before = awaited, .after = {}, .last = {}},
          kernel_signals{.before = {}, .after = signalled, .last = {}},
          kernel_signals{.before = {}, .after = {}, .last = awaited}}) {
      const auto make = [&] { push_exchange({}, given, &blocks_done, ctas); };
      if (count > max_signal_words)
        EXPECT_THROW(make(), std::length_error);
      else
        EXPECT_NO_THROW(make());
    }
  }
}

TEST(push_exchange, refuses_no_thread_blocks_and_overlapping_rows) {
  strided_regions of(1);
  for (const int none : {0, -1}) {
    EXPECT_THROW(push_exchange(of.regions(), {}, &blocks_done, none), std::invalid_argument);
  }
  std::vector<copy_region> overlapping = of.regions();
  overlapping.front().target_pitch = of.width - 1;
  EXPECT_THROW(push_exchange(overlapping, {}, &blocks_done, ctas), std::invalid_argument);
}

}  // namespace
}  // namespace ithaca::kernels
