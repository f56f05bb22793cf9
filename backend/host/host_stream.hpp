#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "backend/host/host_capture.hpp"
#include "backend/stream.hpp"

namespace ithaca {

/// A stream of the host device: a worker thread that runs what is enqueued, in order.
///
/// It holds `queue_depth` operations that have not begun; enqueuing another waits for room, as on a
/// GPU, so that what would block there, e.g. too much work behind a gate, blocks here, too.
///
/// The first exception of an operation stops the stream, like a sticky CUDA error, and comes out
/// of `idle()`. The destructor abandons what has not started.
class host_stream final : public stream {
 public:
  /// What a stream of a GPU was seen to take before a call that enqueues waits, in round figures.
  static constexpr std::size_t queue_depth = 1024;

  host_stream(std::string name, const observer_slot& observers);
  ~host_stream() override;

  void record(event& at) override;
  void wait(const event& at) override;
  bool idle() override;
  std::uint64_t capture_id() const override;
  void begin_capture() override;
  std::unique_ptr<graph> end_capture() override;
  void replay(const graph& captured) override;

 protected:
  void enqueue_copy(const copy_2d& op, const operation& record) override;
  void enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                           const operation& record) override;
  void enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                          const operation& record) override;
  void enqueue_kernel(const kernel_call& call, const operation& record) override;

 private:
  void enqueue(host_work work);
  /// As `enqueue`, with its record for the observer that is attached now; a capture leaves none.
  void enqueue_observed(const operation& record, host_work work);
  bool capturing() const;
  void join(const std::shared_ptr<host_capture>& capture);
  void run(std::stop_token stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<host_work> queue_;
  bool busy_ = false;
  std::shared_ptr<host_capture> capture_;
  std::exception_ptr failure_;
  std::stop_source stop_;
  std::jthread worker_;  // last: starts when the rest exists
};

}  // namespace ithaca
