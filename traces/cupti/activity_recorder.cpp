#include "traces/cupti/activity_recorder.hpp"

#include <cupti.h>
#include <fmt/core.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <source_location>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "traces/cupti/activity_reader.hpp"

namespace ithaca::traces {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{8} << 20;

struct free_buffer {
  void operator()(std::uint8_t* buffer) const { std::free(buffer); }
};

struct completed_buffer {
  std::unique_ptr<std::uint8_t, free_buffer> data;
  std::size_t valid_bytes = 0;
};

/// CUPTI's callbacks take no argument of ours, so what they fill is the process's. It is never
/// destroyed: CUPTI's thread may still call while the process ends.
struct process_state {
  std::mutex mutex;
  std::vector<completed_buffer> buffers;
  bool recording = false;
  bool lost_buffer = false;
};

process_state& state() {
  static process_state& the_state = *new process_state;
  return the_state;
}

void CUPTIAPI provide_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  // Without a buffer CUPTI drops records, and counts them.
  *buffer = static_cast<std::uint8_t*>(std::malloc(buffer_bytes));
  *size = *buffer ? buffer_bytes : 0;
  *most_records = 0;
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid_bytes) {
  completed_buffer taken{std::unique_ptr<std::uint8_t, free_buffer>(buffer), valid_bytes};
  const std::lock_guard lock(state().mutex);
  if (!state().recording) return;
  try {
    state().buffers.push_back(std::move(taken));
  } catch (const std::bad_alloc&) {
    state().lost_buffer = true;
  }
}

std::uint64_t CUPTIAPI monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void check(CUptiResult status, std::string_view what,
           std::source_location where = std::source_location::current()) {
  if (status == CUPTI_SUCCESS) return;
  const char* text = nullptr;
  cuptiGetResultString(status, &text);
  throw std::runtime_error(fmt::format("{}: {} ({}:{})", what, text ? text : "unknown CUPTI error",
                                       where.file_name(), where.line()));
}

std::size_t take_dropped_count() {
  std::size_t dropped = 0;
  check(cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped),
        "cuptiActivityGetNumDroppedRecords");
  return dropped;
}

/// External correlation names an API call, so those calls must be recorded, too.
constexpr CUpti_ActivityKind recorded_kinds[] = {CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
                                                 CUPTI_ACTIVITY_KIND_RUNTIME,
                                                 CUPTI_ACTIVITY_KIND_DRIVER,
                                                 CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                                 CUPTI_ACTIVITY_KIND_MEMCPY,
                                                 CUPTI_ACTIVITY_KIND_MEMCPY2,
                                                 CUPTI_ACTIVITY_KIND_MEMSET};

void claim_process() {
  const std::lock_guard lock(state().mutex);
  if (state().recording) throw std::logic_error("activity_recorder: another one is recording");
  state().recording = true;
  state().lost_buffer = false;
  state().buffers.clear();
}

}  // namespace

activity_recorder::activity_recorder() {
  claim_process();
  recording_ = true;
  try {
    check(cuptiActivityRegisterCallbacks(provide_buffer, take_buffer),
          "cuptiActivityRegisterCallbacks");
    // Before any kind is enabled: records of before would keep another clock.
    check(cuptiActivityRegisterTimestampCallback(monotonic_ns),
          "cuptiActivityRegisterTimestampCallback");
    take_dropped_count();
    enabled_kinds_.reserve(std::size(recorded_kinds));
    for (const CUpti_ActivityKind kind : recorded_kinds) {
      check(cuptiActivityEnable(kind), "cuptiActivityEnable");
      enabled_kinds_.push_back(kind);
    }
  } catch (...) {
    disable();
    throw;
  }
}

activity_recorder::~activity_recorder() { disable(); }

void activity_recorder::disable() noexcept {
  for (const int kind : std::exchange(enabled_kinds_, {})) {
    cuptiActivityDisable(static_cast<CUpti_ActivityKind>(kind));
  }
  if (!std::exchange(recording_, false)) return;
  // What CUPTI still holds would otherwise turn up in the next recording.
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const std::lock_guard lock(state().mutex);
  state().recording = false;
  state().buffers.clear();
}

void activity_recorder::push(std::uint64_t operation) {
  check(cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, operation),
        "cuptiActivityPushExternalCorrelationId");
}

void activity_recorder::pop() {
  check(cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, nullptr),
        "cuptiActivityPopExternalCorrelationId");
}

std::vector<raw_activity> activity_recorder::stop() {
  if (!recording_) throw std::logic_error("activity_recorder: it does not record");
  check(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
  const std::size_t dropped = take_dropped_count();
  std::vector<completed_buffer> buffers;
  bool lost_buffer = false;
  {
    const std::lock_guard lock(state().mutex);
    buffers = std::exchange(state().buffers, {});
    lost_buffer = state().lost_buffer;
  }
  disable();
  if (dropped != 0 || lost_buffer) {
    throw std::runtime_error(
        fmt::format("CUPTI dropped {} records{}: the traced pass is invalid", dropped,
                    lost_buffer ? ", and a buffer of them was lost for want of memory" : ""));
  }
  activity_reader reader;
  for (const completed_buffer& buffer : buffers) {
    CUpti_Activity* record = nullptr;
    CUptiResult status = CUPTI_SUCCESS;
    while ((status = cuptiActivityGetNextRecord(buffer.data.get(), buffer.valid_bytes, &record)) ==
           CUPTI_SUCCESS) {
      reader.add(*record);
    }
    if (status != CUPTI_ERROR_MAX_LIMIT_REACHED) check(status, "cuptiActivityGetNextRecord");
  }
  return reader.take();
}

}  // namespace ithaca::traces
