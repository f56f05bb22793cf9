#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "traces/cupti/from_activities.hpp"

namespace ithaca::traces {
namespace {

constexpr int own_rank = 1;

enqueued_operation operation(std::uint64_t id, enqueued_kind kind, std::string name, int peer) {
  const auto at = static_cast<std::int64_t>(id) * 10;
  return {id, kind, std::move(name), "copy", "v", peer, 4, 4096, "cell", at, at + 5};
}

raw_activity activity(activity_kind kind, std::uint64_t op, channel_type channel) {
  raw_activity raw;
  raw.kind = kind;
  raw.correlation = 900;
  raw.operation = op;
  raw.stream = 13;
  raw.start_ns = 1000;
  raw.end_ns = 1500;
  raw.bytes = kind == activity_kind::kernel ? 0 : 4096;
  raw.channel = channel;
  return raw;
}

/// The only record that is no submit.
timeline_record device_record(const raw_activity& raw, const enqueued_operation& op) {
  const auto records = from_activities(std::vector{raw}, std::vector{op}, own_rank);
  EXPECT_EQ(records.size(), 2u);
  EXPECT_EQ(records.front().kind, record_kind::submit);
  return records.back();
}

record_kind kind_of(const raw_activity& raw, const enqueued_operation& op) {
  return device_record(raw, op).kind;
}

TEST(from_activities, a_copy_between_devices_is_a_peer_copy_with_everything_its_operation_says) {
  raw_activity raw = activity(activity_kind::memcpy_peer, 3, channel_type::async_memcpy);
  raw.target_device = 1;
  raw.bytes = 4000;
  const auto op = operation(3, enqueued_kind::copy, "copy_2d", 0);
  EXPECT_EQ(from_activities(std::vector{raw}, std::vector{op}, own_rank),
            (std::vector<timeline_record>{
                {own_rank, "host", record_kind::submit, "copy_2d", "v", 0, 0, 4,
                 record_engine::host_thread, 30, 35, 3, false, "cell"},
                {own_rank, "copy", record_kind::peer_copy, "copy_2d", "v", 0, 4000, 4,
                 record_engine::copy_engine, 1000, 1500, 3, false, "cell"}}));
}

TEST(from_activities, a_kernel_holds_the_sms_that_were_recorded) {
  raw_activity raw = activity(activity_kind::kernel, 3, channel_type::unknown);
  raw.sms = 16;
  EXPECT_EQ(device_record(raw, operation(3, enqueued_kind::kernel, "pack_kernel", -1)).sms, 16u);
}

TEST(from_activities, a_plain_memcpy_to_another_rank_is_a_peer_copy) {
  const auto raw = activity(activity_kind::memcpy, 3, channel_type::async_memcpy);
  EXPECT_EQ(kind_of(raw, operation(3, enqueued_kind::copy, "copy_2d", 2)), record_kind::peer_copy);
  EXPECT_EQ(kind_of(raw, operation(3, enqueued_kind::copy, "copy_2d", own_rank)),
            record_kind::local_copy);
  EXPECT_EQ(kind_of(raw, operation(3, enqueued_kind::copy, "copy_2d", -1)),
            record_kind::local_copy);
}

TEST(from_activities, two_devices_make_a_peer_copy_whatever_was_said) {
  raw_activity raw = activity(activity_kind::memcpy_peer, 3, channel_type::async_memcpy);
  raw.target_device = 1;
  EXPECT_EQ(kind_of(raw, operation(3, enqueued_kind::copy, "copy_2d", own_rank)),
            record_kind::peer_copy);
  raw.target_device = raw.source_device;
  EXPECT_EQ(kind_of(raw, operation(3, enqueued_kind::copy, "copy_2d", own_rank)),
            record_kind::local_copy);
}

TEST(from_activities, the_engine_is_the_channels) {
  const auto op = operation(3, enqueued_kind::copy, "copy_2d", 2);
  const auto engine = [&](channel_type channel) {
    return device_record(activity(activity_kind::memcpy, 3, channel), op).engine;
  };
  EXPECT_EQ(engine(channel_type::async_memcpy), record_engine::copy_engine);
  EXPECT_EQ(engine(channel_type::compute), record_engine::sm);
  EXPECT_EQ(engine(channel_type::unknown), record_engine::none);
}

TEST(from_activities, stream_memory_operations_become_instants) {
  const auto write = operation(1, enqueued_kind::signal_write, "write_value", 2);
  const auto wait = operation(2, enqueued_kind::signal_wait, "wait_value", 2);
  const auto records = from_activities({}, std::vector{write, wait}, own_rank);
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(std::count_if(records.begin(), records.end(),
                          [](const auto& r) {
                            return r.kind == record_kind::signal_write && r.enqueued_only &&
                                   r.start_ns == 15 && r.end_ns == 15 && r.exchange == 4;
                          }),
            1);
  EXPECT_EQ(std::count_if(records.begin(), records.end(),
                          [](const auto& r) {
                            return r.kind == record_kind::signal_wait && r.enqueued_only &&
                                   r.start_ns == 25;
                          }),
            1);
}

TEST(from_activities, a_signal_by_a_copy_of_one_word_has_a_time_and_is_no_traffic) {
  raw_activity raw = activity(activity_kind::memcpy_peer, 3, channel_type::async_memcpy);
  raw.bytes = 8;
  const auto op = operation(3, enqueued_kind::signal_write, "staged", 2);
  EXPECT_EQ(kind_of(raw, op), record_kind::signal_write);
  EXPECT_FALSE(device_record(raw, op).enqueued_only);
  raw.bytes = 9;
  EXPECT_EQ(kind_of(raw, op), record_kind::peer_copy) << "traffic must not hide as a signal";
}

TEST(from_activities, kernels_of_a_library_call_inherit_from_it_and_keep_their_names) {
  const auto op = operation(3, enqueued_kind::kernel, "ncclAlltoAll", -1);
  std::vector<raw_activity> raw(2, activity(activity_kind::kernel, 3, channel_type::compute));
  raw[0].name = "_Z22ncclDevKernel_SendRecv24ncclDevKernelArgsStorageILm4096EE";
  raw[1].name = "void ns::other<int>(int)";
  raw[1].start_ns = 900;
  const auto records = from_activities(raw, std::vector{op}, own_rank);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].kind, record_kind::submit);
  EXPECT_EQ(records[1].name, "other") << "by start";
  EXPECT_EQ(records[2].name, "ncclDevKernel_SendRecv");
  for (const std::size_t i : {1u, 2u}) {
    EXPECT_EQ(records[i].kind, record_kind::kernel);
    EXPECT_EQ(records[i].engine, record_engine::sm);
    EXPECT_EQ(records[i].row, "copy");
    EXPECT_EQ(records[i].tag, "v");
    EXPECT_EQ(records[i].exchange, 4u);
    EXPECT_EQ(records[i].operation, 3u);
    EXPECT_EQ(records[i].bytes, 0u);
  }
}

TEST(from_activities, a_kernel_under_a_signal_or_a_copy_stays_a_kernel) {
  raw_activity raw = activity(activity_kind::kernel, 3, channel_type::compute);
  raw.name = "spin";
  EXPECT_EQ(kind_of(raw, operation(3, enqueued_kind::signal_wait, "wait", 2)), record_kind::kernel);
  EXPECT_EQ(kind_of(raw, operation(3, enqueued_kind::copy, "copy_2d", 2)), record_kind::kernel);
  EXPECT_EQ(device_record(raw, operation(3, enqueued_kind::copy, "copy_2d", 2)).name, "spin");
}

TEST(from_activities, without_an_operation_it_is_outside_any_exchange) {
  const auto op = operation(3, enqueued_kind::copy, "copy_2d", 2);
  std::vector<raw_activity> raw = {activity(activity_kind::memset, 0, channel_type::compute),
                                   activity(activity_kind::memcpy, 99, channel_type::compute)};
  raw[1].start_ns += 1;
  const auto records = from_activities(raw, std::vector{op}, own_rank);
  ASSERT_EQ(records.size(), 4u);  // with the submit and the instant of the copy that left no record
  EXPECT_EQ(records[2],
            (timeline_record{own_rank, "CUDA stream 13", record_kind::memset, "memset", "", -1,
                             4096, 0, record_engine::sm, 1000, 1500, 0, false, ""}));
  EXPECT_EQ(records[3].kind, record_kind::local_copy);
  EXPECT_EQ(records[3].exchange, 0u);
  EXPECT_EQ(records[3].operation, 0u);
  EXPECT_TRUE(records[1].enqueued_only);
  EXPECT_EQ(records[1].kind, record_kind::peer_copy);
}

TEST(from_activities, refuses_a_record_without_times) {
  raw_activity raw = activity(activity_kind::kernel, 0, channel_type::compute);
  raw.start_ns = 0;
  EXPECT_THROW(from_activities(std::vector{raw}, {}, own_rank), std::runtime_error);
  raw = activity(activity_kind::memcpy, 0, channel_type::compute);
  raw.end_ns = 0;
  EXPECT_THROW(from_activities(std::vector{raw}, {}, own_rank), std::runtime_error);
}

TEST(from_activities, refuses_ids_that_name_no_single_operation) {
  const auto op = operation(3, enqueued_kind::copy, "copy_2d", 2);
  EXPECT_THROW(from_activities({}, std::vector{op, op}, own_rank), std::invalid_argument);
  const auto nameless = operation(0, enqueued_kind::copy, "copy_2d", 2);
  EXPECT_THROW(from_activities({}, std::vector{nameless}, own_rank), std::invalid_argument);
}

}  // namespace
}  // namespace ithaca::traces
