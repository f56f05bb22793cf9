#include "backend/host/host_event.hpp"

#include <time.h>

#include <stdexcept>

namespace ithaca {

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void host_record::happen(std::int64_t at_ns) {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    at_ns_ = at_ns;
  }
  happened_.notify_all();
}

bool host_record::wait_for(std::chrono::milliseconds at_most) const {
  std::unique_lock lock(mutex_);
  return happened_.wait_for(lock, at_most, [&] { return done_; });
}

std::int64_t host_record::at_ns() const {
  const std::lock_guard lock(mutex_);
  if (!done_) throw std::logic_error("the event has not happened yet");
  return at_ns_;
}

std::int64_t host_event::elapsed_ns_since(const event& start) const {
  const auto& from = dynamic_cast<const host_event&>(start);
  if (!current_ || !from.current_) throw std::logic_error("the event was never recorded");
  return current_->at_ns() - from.current_->at_ns();
}

void host_event::put_in(std::shared_ptr<host_capture> capture) {
  current_.reset();
  capture_ = std::move(capture);
}

std::shared_ptr<host_record> host_event::renew() {
  capture_.reset();
  current_ = std::make_shared<host_record>();
  return current_;
}

}  // namespace ithaca
