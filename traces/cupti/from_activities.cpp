#include "traces/cupti/from_activities.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "traces/kernel_name.hpp"

namespace ithaca::traces {
namespace {

struct operation_entry {
  const enqueued_operation* op = nullptr;
  bool has_activity = false;
};

std::unordered_map<std::uint64_t, operation_entry> by_id(
    std::span<const enqueued_operation> operations) {
  std::unordered_map<std::uint64_t, operation_entry> entries;
  for (const enqueued_operation& op : operations) {
    if (op.id == 0 || !entries.try_emplace(op.id, operation_entry{&op, false}).second) {
      throw std::invalid_argument(
          fmt::format("operation id {} ({}) is 0 or occurs twice", op.id, op.name));
    }
  }
  return entries;
}

record_engine engine_of(const raw_activity& activity) {
  if (activity.kind == activity_kind::kernel) return record_engine::sm;
  switch (activity.channel) {
    case channel_type::async_memcpy:
      return record_engine::copy_engine;
    case channel_type::compute:
      return record_engine::sm;
    case channel_type::unknown:
      break;
  }
  return record_engine::none;
}

record_kind kind_of(const raw_activity& activity, const enqueued_operation* op, int rank) {
  if (activity.kind == activity_kind::kernel) return record_kind::kernel;
  if (activity.kind == activity_kind::memset) return record_kind::memset;
  if (op && activity.bytes <= signal_bytes) {
    if (op->kind == enqueued_kind::signal_write) return record_kind::signal_write;
    if (op->kind == enqueued_kind::signal_wait) return record_kind::signal_wait;
  }
  // The enqueuer knows whose memory a mapped address is; CUPTI may take it for the device's own.
  const bool to_other_rank = op && op->peer >= 0 && op->peer != rank;
  const bool between_devices = activity.kind == activity_kind::memcpy_peer &&
                               activity.source_device != activity.target_device;
  return to_other_rank || between_devices ? record_kind::peer_copy : record_kind::local_copy;
}

std::string name_of(const raw_activity& activity, const enqueued_operation* op) {
  if (activity.kind == activity_kind::kernel) return unqualified_kernel_name(activity.name);
  if (op) return op->name;
  return activity.kind == activity_kind::memset ? "memset" : "memcpy";
}

timeline_record to_record(const raw_activity& activity, const enqueued_operation* op, int rank) {
  if (activity.start_ns <= 0 || activity.end_ns < activity.start_ns) {
    throw std::runtime_error(
        fmt::format("CUPTI recorded {} (correlation id {}) without its times: the traced pass is "
                    "invalid",
                    name_of(activity, op), activity.correlation));
  }
  timeline_record record;
  if (op) {
    record = executed_record(*op, rank, activity.start_ns, activity.end_ns, engine_of(activity));
  } else {
    record.rank = rank;
    record.row = fmt::format("CUDA stream {}", activity.stream);
    record.engine = engine_of(activity);
    record.start_ns = activity.start_ns;
    record.end_ns = activity.end_ns;
  }
  record.kind = kind_of(activity, op, rank);
  record.name = name_of(activity, op);
  record.bytes = activity.bytes;
  record.sms = activity.sms;
  return record;
}

}  // namespace

std::vector<timeline_record> from_activities(std::span<const raw_activity> activities,
                                             std::span<const enqueued_operation> operations,
                                             int rank) {
  auto entries = by_id(operations);
  std::vector<timeline_record> records;
  records.reserve(activities.size() + 2 * operations.size());
  for (const raw_activity& activity : activities) {
    const auto entry = entries.find(activity.operation);
    if (entry != entries.end()) entry->second.has_activity = true;
    records.push_back(
        to_record(activity, entry == entries.end() ? nullptr : entry->second.op, rank));
  }
  for (const enqueued_operation& op : operations) {
    records.push_back(submit_record(op, rank));
    if (!entries.at(op.id).has_activity) records.push_back(enqueued_only_record(op, rank));
  }
  std::stable_sort(records.begin(), records.end(),
                   [](const auto& a, const auto& b) { return a.start_ns < b.start_ns; });
  return records;
}

}  // namespace ithaca::traces
