#include "traces/cupti/activity_reader.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <utility>

namespace ithaca::traces {
namespace {

// The newest layouts of the header at hand; the fields read here lie at the same place in all.
#if CUPTI_API_VERSION >= 130000
using kernel_record = CUpti_ActivityKernel10;
using memcpy_record = CUpti_ActivityMemcpy6;
#else
using kernel_record = CUpti_ActivityKernel9;
using memcpy_record = CUpti_ActivityMemcpy5;
#endif
using memcpy_peer_record = CUpti_ActivityMemcpyPtoP4;
using memset_record = CUpti_ActivityMemset4;

/// The fields that all layouts share.
template <class Record>
raw_activity common(const Record& record, activity_kind kind) {
  raw_activity activity;
  activity.kind = kind;
  activity.correlation = record.correlationId;
  activity.stream = record.streamId;
  activity.device = record.deviceId;
  activity.start_ns = static_cast<std::int64_t>(record.start);
  activity.end_ns = static_cast<std::int64_t>(record.end);
  if (record.channelType == CUPTI_CHANNEL_TYPE_COMPUTE) activity.channel = channel_type::compute;
  if (record.channelType == CUPTI_CHANNEL_TYPE_ASYNC_MEMCPY) {
    activity.channel = channel_type::async_memcpy;
  }
  return activity;
}

std::uint32_t multiprocessors(std::uint32_t device) {
  int count = 0;
  const auto status =
      cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, static_cast<int>(device));
  return status == cudaSuccess ? static_cast<std::uint32_t>(count) : 0;
}

std::uint32_t sms_held(const kernel_record& kernel) {
  const auto blocks = static_cast<std::uint64_t>(kernel.gridX) *
                      static_cast<std::uint64_t>(kernel.gridY) *
                      static_cast<std::uint64_t>(kernel.gridZ);
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(blocks, multiprocessors(kernel.deviceId)));
}

template <class Record>
const Record& as(const CUpti_Activity& record) {
  return reinterpret_cast<const Record&>(record);
}

}  // namespace

void activity_reader::add(const CUpti_Activity& record) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
      const auto& kernel = as<kernel_record>(record);
      raw_activity activity = common(kernel, activity_kind::kernel);
      if (kernel.name) activity.name = kernel.name;
      activity.sms = sms_held(kernel);
      add_activity(std::move(activity), 0);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copy = as<memcpy_record>(record);
      raw_activity activity = common(copy, activity_kind::memcpy);
      activity.bytes = copy.bytes;
      add_activity(std::move(activity), copy.runtimeCorrelationId);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
      const auto& copy = as<memcpy_peer_record>(record);
      raw_activity activity = common(copy, activity_kind::memcpy_peer);
      activity.bytes = copy.bytes;
      activity.source_device = copy.srcDeviceId;
      activity.target_device = copy.dstDeviceId;
      add_activity(std::move(activity), 0);
      break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
      const auto& set = as<memset_record>(record);
      raw_activity activity = common(set, activity_kind::memset);
      activity.bytes = set.bytes;
      add_activity(std::move(activity), 0);
      break;
    }
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
      const auto& link = as<CUpti_ActivityExternalCorrelation>(record);
      if (link.externalKind == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0) {
        operation_of_call_[link.correlationId] = link.externalId;
      }
      break;
    }
    default:
      break;
  }
}

void activity_reader::add_activity(raw_activity activity, std::uint32_t runtime_correlation) {
  activities_.push_back(std::move(activity));
  runtime_correlations_.push_back(runtime_correlation);
}

std::vector<raw_activity> activity_reader::take() {
  for (std::size_t i = 0; i < activities_.size(); ++i) {
    auto call = operation_of_call_.find(activities_[i].correlation);
    // A call of the runtime and the driver's below it can have an id each.
    if (call == operation_of_call_.end()) call = operation_of_call_.find(runtime_correlations_[i]);
    if (call != operation_of_call_.end()) activities_[i].operation = call->second;
  }
  runtime_correlations_.clear();
  operation_of_call_.clear();
  return std::exchange(activities_, {});
}

}  // namespace ithaca::traces
