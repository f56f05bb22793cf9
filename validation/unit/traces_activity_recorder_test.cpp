#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "traces/cupti/activity_reader.hpp"
#include "traces/cupti/activity_recorder.hpp"

namespace ithaca::traces {
namespace {

template <class Record>
Record record_of(CUpti_ActivityKind kind, std::uint32_t correlation) {
  Record record{};
  record.kind = kind;
  record.correlationId = correlation;
  return record;
}

template <class Record>
Record device_record(CUpti_ActivityKind kind, std::uint32_t correlation) {
  Record record = record_of<Record>(kind, correlation);
  record.start = 100;
  record.end = 200;
  record.deviceId = 3;
  record.streamId = 9;
  return record;
}

template <class Record>
const CUpti_Activity& plain(const Record& record) {
  return reinterpret_cast<const CUpti_Activity&>(record);
}

CUpti_ActivityExternalCorrelation link(std::uint32_t correlation, std::uint64_t operation) {
  auto record = record_of<CUpti_ActivityExternalCorrelation>(
      CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, correlation);
  record.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
  record.externalId = operation;
  return record;
}

// The layouts of the oldest toolkit that is supported, which the newest ones extend.
using kernel_record = CUpti_ActivityKernel9;
using memcpy_record = CUpti_ActivityMemcpy5;

TEST(activity_reader, takes_a_kernel_with_its_name_and_operation) {
  activity_reader reader;
  auto kernel = device_record<kernel_record>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, 5);
  kernel.name = "_Z4fillv";
  kernel.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
  // The activity can come before its correlation.
  reader.add(plain(kernel));
  reader.add(plain(link(5, 77)));
  const auto activities = reader.take();
  ASSERT_EQ(activities.size(), 1u);
  EXPECT_EQ(activities[0].kind, activity_kind::kernel);
  EXPECT_EQ(activities[0].name, "_Z4fillv");
  EXPECT_EQ(activities[0].operation, 77u);
  EXPECT_EQ(activities[0].correlation, 5u);
  EXPECT_EQ(activities[0].start_ns, 100);
  EXPECT_EQ(activities[0].end_ns, 200);
  EXPECT_EQ(activities[0].device, 3u);
  EXPECT_EQ(activities[0].stream, 9u);
  EXPECT_EQ(activities[0].channel, channel_type::compute);
  EXPECT_TRUE(reader.take().empty());
}

TEST(activity_reader, takes_copies_with_bytes_channel_and_devices) {
  activity_reader reader;
  auto local = device_record<memcpy_record>(CUPTI_ACTIVITY_KIND_MEMCPY, 5);
  local.bytes = 64;
  local.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
  reader.add(plain(local));
  auto peer = device_record<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2, 6);
  peer.bytes = 128;
  peer.srcDeviceId = 3;
  peer.dstDeviceId = 2;
  peer.channelType = CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY;
  reader.add(plain(peer));
  auto set = device_record<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET, 7);
  set.bytes = 32;
  reader.add(plain(set));
  const auto activities = reader.take();
  ASSERT_EQ(activities.size(), 3u);
  EXPECT_EQ(activities[0].kind, activity_kind::memcpy);
  EXPECT_EQ(activities[0].bytes, 64u);
  EXPECT_EQ(activities[0].channel, channel_type::compute);
  EXPECT_EQ(activities[1].kind, activity_kind::memcpy_peer);
  EXPECT_EQ(activities[1].bytes, 128u);
  EXPECT_EQ(activities[1].source_device, 3u);
  EXPECT_EQ(activities[1].target_device, 2u);
  EXPECT_EQ(activities[1].channel, channel_type::async_memcpy);
  EXPECT_EQ(activities[2].kind, activity_kind::memset);
  EXPECT_EQ(activities[2].bytes, 32u);
  EXPECT_EQ(activities[2].channel, channel_type::unknown);
}

TEST(activity_reader, correlates_by_its_own_kind_of_id_only) {
  activity_reader reader;
  auto copy = device_record<memcpy_record>(CUPTI_ACTIVITY_KIND_MEMCPY, 5);
  copy.runtimeCorrelationId = 4;
  reader.add(plain(copy));
  reader.add(plain(link(4, 77)));
  auto foreign = link(5, 88);
  foreign.externalKind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM1;
  reader.add(plain(foreign));
  EXPECT_EQ(reader.take().at(0).operation, 77u) << "the runtime's call is the one in the range";
}

TEST(activity_reader, passes_over_what_is_no_device_activity) {
  activity_reader reader;
  reader.add(plain(record_of<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_RUNTIME, 5)));
  reader.add(plain(record_of<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_DRIVER, 5)));
  EXPECT_TRUE(reader.take().empty());
}

/// What CUPTI says on a machine without a GPU is an error in words; on one with a GPU it records
/// nothing here. Either way the next recorder starts as afresh.
TEST(activity_recorder, leaves_the_process_free_for_the_next_one) {
  std::string first_error;
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::string error;
    try {
      activity_recorder recorder;
      EXPECT_THROW(activity_recorder second, std::logic_error);
      recorder.push(1);
      recorder.pop();
      EXPECT_TRUE(recorder.stop().empty());
      EXPECT_THROW(recorder.stop(), std::logic_error);
    } catch (const std::runtime_error& failure) {
      error = failure.what();
      EXPECT_NE(error.find("cupti"), std::string::npos) << error;
    }
    if (attempt == 0)
      first_error = error;
    else
      EXPECT_EQ(error, first_error);
  }
}

}  // namespace
}  // namespace ithaca::traces
