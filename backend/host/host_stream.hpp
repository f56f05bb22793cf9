#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "backend/stream.hpp"

namespace ithaca {

/// A stream of the host device: a worker thread that runs what is enqueued, in order.
///
/// The first exception of an operation stops the stream, like a sticky CUDA error, and comes out
/// of `idle()`. The destructor abandons what has not started.
class host_stream final : public stream {
 public:
  host_stream(std::string name, const observer_slot& observers);
  ~host_stream() override;

  void record(event& at) override;
  void wait(const event& at) override;
  bool idle() override;

 protected:
  void enqueue_copy(const copy_2d& op, const operation& record) override;
  void enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                           const operation& record) override;
  void enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                          const operation& record) override;
  void enqueue_kernel(const kernel_call& call, const operation& record) override;

 private:
  void enqueue(std::function<void()> work);
  /// As `enqueue`, with its record for the observer that is attached now.
  void enqueue_observed(const operation& record, std::function<void()> work);
  void run(std::stop_token stop);

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<std::function<void()>> queue_;
  bool busy_ = false;
  std::exception_ptr failure_;
  std::stop_source stop_;
  std::jthread worker_;  // last: starts when the rest exists
};

}  // namespace ithaca
