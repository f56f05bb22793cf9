#include "backend/host/host_stream.hpp"

#include <chrono>
#include <cstring>
#include <ranges>
#include <utility>

#include "backend/errors.hpp"
#include "backend/host/host_event.hpp"
#include "backend/host/shared_word.hpp"
#include "backend/observer_slot.hpp"

namespace ithaca {
namespace {

/// How long a blocked operation sleeps before it looks whether its stream is being destroyed.
constexpr std::chrono::milliseconds stop_check_interval{20};

void signal(const signalled_word& word) {
  if (word.address) store_and_wake(word.address, word.value);
}

/// Whether a copy moves one aligned word, which may be a signal that somebody waits for.
bool is_word(const copy_2d& op) {
  constexpr std::size_t bytes = sizeof(std::uint64_t);
  const auto aligned = [](const std::byte* at) {
    return reinterpret_cast<std::uintptr_t>(at) % alignof(std::uint64_t) == 0;
  };
  return op.height == 1 && op.width == bytes && aligned(op.source) && aligned(op.target);
}

/// Whether the word was reached; if not, the stream is being destroyed.
bool wait_for(const awaited_word& word, const std::stop_token& stop) {
  while (!sleep_until_reached(word.address, word.value, stop_check_interval)) {
    if (stop.stop_requested()) return false;
  }
  return true;
}

}  // namespace

host_stream::host_stream(std::string name, const observer_slot& observers)
    : stream(std::move(name), observers), worker_([this] { run(stop_.get_token()); }) {}

host_stream::~host_stream() {
  stop_.request_stop();
  changed_.notify_all();
}

void host_stream::run(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, stop, [&] { return !queue_.empty(); });
    if (stop.stop_requested()) return;
    const host_work work = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    if (queue_.size() + 1 == queue_depth) changed_.notify_all();
    lock.unlock();
    std::exception_ptr failure;
    try {
      work(stop);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    busy_ = false;
    if (failure) {
      failure_ = failure;
      changed_.notify_all();
      return;
    }
  }
}

void host_stream::enqueue(host_work work) {
  if (capturing()) return capture_->add(std::move(work));
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return queue_.size() < queue_depth || failure_; });
    queue_.push_back(std::move(work));
  }
  changed_.notify_all();
}

void host_stream::enqueue_observed(const operation& record, host_work work) {
  observer* const watcher = observers().get();
  if (!watcher || capturing()) return enqueue(std::move(work));
  enqueue([watcher, record, work = std::move(work)](const std::stop_token& stop) {
    const std::int64_t start_ns = monotonic_ns();
    work(stop);
    watcher->executed(record, start_ns, monotonic_ns());
  });
}

bool host_stream::idle() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  return queue_.empty() && !busy_;
}

void host_stream::record(event& at) {
  auto& mark = dynamic_cast<host_event&>(at);
  if (capturing()) return mark.put_in(capture_);
  enqueue([record = mark.renew()](const std::stop_token&) { record->happen(monotonic_ns()); });
}

void host_stream::wait(const event& at) {
  const auto& mark = dynamic_cast<const host_event&>(at);
  if (mark.capture()) return join(mark.capture());
  const std::shared_ptr<host_record> record = mark.current();
  if (!record) return;  // as in CUDA, an event never recorded holds nobody
  if (capturing()) {
    throw invalid_use(
        "a stream that is being captured can't wait for an event outside the capture");
  }
  enqueue([record](const std::stop_token& stop) {
    while (!record->wait_for(stop_check_interval) && !stop.stop_requested()) {
    }
  });
}

void host_stream::join(const std::shared_ptr<host_capture>& capture) {
  if (capture->ended())
    throw invalid_use("an event recorded in a capture can't be awaited after it");
  if (capturing() && capture_ != capture) throw invalid_use("a stream is in one capture at a time");
  capture_ = capture;
}

bool host_stream::capturing() const { return capture_ && !capture_->ended(); }

std::uint64_t host_stream::capture_id() const { return capturing() ? capture_->id() : 0; }

void host_stream::begin_capture() {
  if (capturing()) throw invalid_use("stream '" + name() + "' is being captured already");
  capture_ = std::make_shared<host_capture>();
}

std::unique_ptr<graph> host_stream::end_capture() {
  if (!capturing()) throw invalid_use("stream '" + name() + "' is not being captured");
  return std::make_unique<host_graph>(std::exchange(capture_, nullptr)->end());
}

void host_stream::replay(const graph& captured) {
  enqueue([work = dynamic_cast<const host_graph&>(captured).work()](const std::stop_token& stop) {
    for (const host_work& each : *work) {
      if (stop.stop_requested()) return;
      each(stop);
    }
  });
}

void host_stream::enqueue_copy(const copy_2d& op, const operation& record) {
  if (is_word(op)) {
    return enqueue_observed(record, [op](const std::stop_token&) {
      store_and_wake(reinterpret_cast<std::uint64_t*>(op.target),
                     load(reinterpret_cast<const std::uint64_t*>(op.source)));
    });
  }
  enqueue_observed(record, [op](const std::stop_token&) {
    for (std::size_t row = 0; row < op.height; ++row) {
      std::memcpy(op.target + row * op.target_pitch, op.source + row * op.source_pitch, op.width);
    }
  });
}

void host_stream::enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                                      const operation& record) {
  enqueue_observed(record,
                   [address, value](const std::stop_token&) { store_and_wake(address, value); });
}

void host_stream::enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                                     const operation& record) {
  enqueue_observed(record, [address, value](const std::stop_token& stop) {
    wait_for({address, value}, stop);
  });
}

void host_stream::enqueue_kernel(const kernel_call& call, const operation& record) {
  enqueue_observed(record, [work = call.host, signals = call.signals](const std::stop_token& stop) {
    for (const awaited_word& each : signals.before) {
      if (!wait_for(each, stop)) return;
    }
    work();
    // Backwards: nothing may count on their order.
    for (const signalled_word& each : std::views::reverse(signals.after)) signal(each);
    signal(signals.sent);
    for (const awaited_word& each : signals.last) {
      if (!wait_for(each, stop)) return;
    }
    signal(signals.ended);
  });
}

}  // namespace ithaca
