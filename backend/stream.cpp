#include "backend/stream.hpp"

#include <atomic>
#include <stdexcept>

#include "backend/errors.hpp"
#include "backend/host_wait.hpp"
#include "backend/observer_slot.hpp"

namespace ithaca {
namespace {

std::atomic<std::uint64_t> latest_operation = 0;

std::uint64_t next_stream_id() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

[[noreturn]] void no_graphs() { throw invalid_use("this device captures no graphs"); }

/// Brackets an enqueue for the observer, if there is one.
template <class Enqueue>
void observed(observer* watcher, const operation& op, Enqueue enqueue) {
  if (watcher) watcher->enqueuing(op);
  enqueue();
  if (watcher) watcher->enqueued(op);
}

}  // namespace

std::uint64_t latest_operation_id() { return latest_operation; }

stream::stream(std::string name, const observer_slot& observers)
    : name_(std::move(name)), id_(next_stream_id()), observers_(observers) {}

operation stream::describe(operation_kind kind, std::string name, std::uint64_t bytes,
                           const operation_label& label) const {
  if (!observers_.get() && !always_described()) return {};
  return {++latest_operation,     kind,       std::move(name), name_,
          std::string(label.tag), label.peer, label.exchange,  bytes};
}

void stream::copy(const copy_2d& op, const operation_label& label) {
  if (op.width > op.source_pitch || op.width > op.target_pitch) {
    throw std::invalid_argument("copy_2d: a row is wider than its pitch");
  }
  if (op.width == 0 || op.height == 0) return;
  const operation record = describe(operation_kind::copy, "copy_2d", op.width * op.height, label);
  observed(observers_.get(), record, [&] { enqueue_copy(op, record); });
}

void stream::write_value(std::uint64_t* address, std::uint64_t value,
                         const operation_label& label) {
  const operation record = describe(operation_kind::write_value, "write_value", 8, label);
  observed(observers_.get(), record, [&] { enqueue_write_value(address, value, record); });
}

void stream::wait_value(const std::uint64_t* address, std::uint64_t value,
                        const operation_label& label) {
  const operation record = describe(operation_kind::wait_value, "wait_value", 8, label);
  observed(observers_.get(), record, [&] { enqueue_wait_value(address, value, record); });
}

void stream::launch(const kernel_call& call, const operation_label& label) {
  const operation record = describe(operation_kind::kernel, call.name, 0, label);
  observed(observers_.get(), record, [&] { enqueue_kernel(call, record); });
}

void stream::begin_capture() { no_graphs(); }
std::unique_ptr<graph> stream::end_capture() { no_graphs(); }
void stream::replay(const graph&) { no_graphs(); }

bool stream::wait_until_idle(std::chrono::steady_clock::time_point deadline, watch* looks_at) {
  return wait_until(deadline, looks_at, std::chrono::microseconds(50), [&] { return idle(); });
}

}  // namespace ithaca
