#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "backend/stream.hpp"

namespace ithaca {

/// CLOCK_MONOTONIC, in nanoseconds: the clock of every record on this host.
std::int64_t monotonic_ns();

/// One recording of an event: happens once.
class host_record {
 public:
  void happen(std::int64_t at_ns);
  /// Waits for it at most `at_most`; returns whether it has happened.
  bool wait_for(std::chrono::milliseconds at_most) const;
  std::int64_t at_ns() const;

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable happened_;
  bool done_ = false;
  std::int64_t at_ns_ = 0;
};

class host_capture;

class host_event final : public event {
 public:
  std::int64_t elapsed_ns_since(const event& start) const override;

  /// Replaces the current record: waits enqueued before keep the one they saw.
  std::shared_ptr<host_record> renew();
  /// Null before the first record.
  std::shared_ptr<host_record> current() const { return current_; }

  /// Records it as a point of a capture.
  void put_in(std::shared_ptr<host_capture> capture);
  /// The capture that it was recorded in, if its latest record was in one.
  const std::shared_ptr<host_capture>& capture() const { return capture_; }

 private:
  std::shared_ptr<host_record> current_;
  std::shared_ptr<host_capture> capture_;
};

}  // namespace ithaca
