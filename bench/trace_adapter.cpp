#include "bench/trace_adapter.hpp"

#include <algorithm>
#include <utility>

#include "backend/errors.hpp"
#ifdef ITHACA_WITH_CUPTI
#include "traces/cupti/activity_recorder.hpp"
#include "traces/cupti/from_activities.hpp"
#else
namespace ithaca::traces {
class activity_recorder {};
}  // namespace ithaca::traces
#endif

namespace ithaca::bench {
namespace {

traces::enqueued_kind translate_kind(operation_kind kind) {
  switch (kind) {
    case operation_kind::copy:
      return traces::enqueued_kind::copy;
    case operation_kind::write_value:
      return traces::enqueued_kind::signal_write;
    case operation_kind::wait_value:
      return traces::enqueued_kind::signal_wait;
    case operation_kind::kernel:
      break;
  }
  return traces::enqueued_kind::kernel;
}

}  // namespace

trace_adapter::trace_adapter(device& on, int global_rank, std::vector<int> global_ranks,
                             std::string scope)
    : device_(on),
      global_rank_(global_rank),
      global_ranks_(std::move(global_ranks)),
      scope_(std::move(scope)) {
  if (on.kind() == device_kind::cuda) {
#ifdef ITHACA_WITH_CUPTI
    recorder_ = std::make_unique<traces::activity_recorder>();
#else
    throw invalid_use("claims can't be checked: this build has no CUPTI");
#endif
  }
  device_.observe(this);
}

trace_adapter::~trace_adapter() { device_.observe(nullptr); }

traces::enqueued_operation trace_adapter::translate(const operation& op) const {
  traces::enqueued_operation result;
  result.id = op.id;
  result.kind = translate_kind(op.kind);
  result.name = op.name;
  result.stream = op.stream;
  result.tag = op.tag;
  result.peer = op.peer < 0 ? op.peer : global_ranks_[static_cast<std::size_t>(op.peer)];
  result.exchange = op.exchange;
  result.bytes = op.bytes;
  result.scope = scope_;
  return result;
}

void trace_adapter::enqueuing(const operation& op) {
  traces::enqueued_operation begun = translate(op);
  begun.enqueue_start_ns = device_.host_now_ns();
  {
    const std::lock_guard lock(mutex_);
    operations_.push_back(std::move(begun));
  }
#ifdef ITHACA_WITH_CUPTI
  if (recorder_) recorder_->push(op.id);
#endif
}

void trace_adapter::enqueued(const operation&) {
#ifdef ITHACA_WITH_CUPTI
  if (recorder_) recorder_->pop();
#endif
  const std::lock_guard lock(mutex_);
  operations_.back().enqueue_end_ns = device_.host_now_ns();
}

void trace_adapter::executed(const operation& op, std::int64_t start_ns, std::int64_t end_ns) {
  traces::timeline_record record = traces::executed_record(
      translate(op), global_rank_, start_ns, end_ns, traces::record_engine::host_thread);
  const std::lock_guard lock(mutex_);
  executed_.push_back(std::move(record));
}

std::vector<traces::timeline_record> trace_adapter::stop() {
  device_.observe(nullptr);
#ifdef ITHACA_WITH_CUPTI
  if (recorder_) return traces::from_activities(recorder_->stop(), operations_, global_rank_);
#endif
  const std::lock_guard lock(mutex_);
  for (const traces::enqueued_operation& op : operations_) {
    executed_.push_back(traces::submit_record(op, global_rank_));
  }
  return std::exchange(executed_, {});
}

}  // namespace ithaca::bench
