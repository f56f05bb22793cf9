#include "backend/host/host_stream.hpp"

#include <chrono>
#include <cstring>
#include <ranges>

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
    const std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    busy_ = false;
    if (failure) {
      failure_ = failure;
      return;
    }
  }
}

void host_stream::enqueue(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  changed_.notify_all();
}

void host_stream::enqueue_observed(const operation& record, std::function<void()> work) {
  observer* const watcher = observers().get();
  if (!watcher) return enqueue(std::move(work));
  enqueue([watcher, record, work = std::move(work)] {
    const std::int64_t start_ns = monotonic_ns();
    work();
    watcher->executed(record, start_ns, monotonic_ns());
  });
}

bool host_stream::idle() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  return queue_.empty() && !busy_;
}

void host_stream::record(event& at) {
  enqueue([record = dynamic_cast<host_event&>(at).renew()] { record->happen(monotonic_ns()); });
}

void host_stream::wait(const event& at) {
  const std::shared_ptr<host_record> record = dynamic_cast<const host_event&>(at).current();
  if (!record) return;  // as in CUDA, an event never recorded holds nobody
  enqueue([record, stop = stop_.get_token()] {
    while (!record->wait_for(stop_check_interval) && !stop.stop_requested()) {
    }
  });
}

void host_stream::enqueue_copy(const copy_2d& op, const operation& record) {
  enqueue_observed(record, [op] {
    for (std::size_t row = 0; row < op.height; ++row) {
      std::memcpy(op.target + row * op.target_pitch, op.source + row * op.source_pitch, op.width);
    }
  });
}

void host_stream::enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                                      const operation& record) {
  enqueue_observed(record, [address, value] { store_and_wake(address, value); });
}

void host_stream::enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                                     const operation& record) {
  enqueue_observed(record, [address, value, stop = stop_.get_token()] {
    wait_for({address, value}, stop);
  });
}

void host_stream::enqueue_kernel(const kernel_call& call, const operation& record) {
  enqueue_observed(record, [work = call.host, signals = call.signals, stop = stop_.get_token()] {
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
