#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/operation.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca {

class observer_slot;
class watch;

/// Operations that were captured from streams, to be run again and again.
class graph {
 public:
  virtual ~graph() = default;
};

/// A point in a stream. `record` and `wait` follow CUDA: a wait refers to the record that was
/// the latest when the wait was enqueued, so an event may be recorded again at once.
class event {
 public:
  virtual ~event() = default;
  /// Nanoseconds from `start` to this event; both made with timing, recorded, and complete.
  virtual std::int64_t elapsed_ns_since(const event& start) const = 0;
};

/// A pitched copy between two addresses that the stream's device can reach.
struct copy_2d {
  const std::byte* source = nullptr;
  std::size_t source_pitch = 0;
  std::byte* target = nullptr;
  std::size_t target_pitch = 0;
  std::size_t width = 0;   ///< bytes a row; <= both pitches
  std::size_t height = 0;  ///< rows
  /// The target lies in another rank's memory (a flow that must not use SMs).
  bool to_peer = false;
};

/// The number of the process's latest operation that was enqueued under an observer (or on a device
/// that always describes its operations); 0: none was.
std::uint64_t latest_operation_id();

/// An ordered queue of operations. Every call but `synchronize` returns without waiting for the
/// device, as long as the queue has room: behind about a thousand operations that have not begun,
/// the call that enqueues another waits. Not thread-safe: one host thread at a time.
class stream {
 public:
  stream(std::string name, const observer_slot& observers);
  virtual ~stream() = default;
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  const std::string& name() const { return name_; }
  /// Unique in the process, also after streams have gone and others have come.
  std::uint64_t id() const { return id_; }

  /// Throws `std::invalid_argument` if width exceeds a pitch.
  void copy(const copy_2d& op, const operation_label& label);
  /// Stores `value` at `address` (8-byte aligned) after everything enqueued before, with release
  /// order at system scope.
  void write_value(std::uint64_t* address, std::uint64_t value, const operation_label& label);
  /// Holds the stream until the word at `address` is >= `value` (signed difference, so it wraps).
  void wait_value(const std::uint64_t* address, std::uint64_t value, const operation_label& label);
  void launch(const kernel_call& call, const operation_label& label);

  virtual void record(event& at) = 0;
  virtual void wait(const event& at) = 0;

  /// 0: what is enqueued will run. Otherwise it goes into a graph that is being captured, with this
  /// id, unique in the process. As in CUDA a stream also joins a capture by waiting for an event
  /// recorded in it, and must be joined again before the capture ends.
  virtual std::uint64_t capture_id() const { return 0; }
  /// Begins a capture, and ends the one that began here. Throws `invalid_use` where there is none.
  virtual void begin_capture();
  virtual std::unique_ptr<graph> end_capture();
  /// Runs everything that `captured`, of this kind of device, holds.
  virtual void replay(const graph& captured);

  /// True once everything enqueued has run. Throws what an operation threw, or `exchange_broken`
  /// for an error of the device.
  virtual bool idle() = 0;
  /// Waits for `idle()`; false when `deadline` passes first. Throws `exchange_broken` once waiting
  /// is in vain, by `looks_at`.
  bool synchronize(std::chrono::steady_clock::time_point deadline, watch* looks_at = nullptr) {
    return wait_until_idle(deadline, looks_at);
  }

 protected:
  /// As `synchronize`; asks `idle()` again and again where a device knows nothing better.
  virtual bool wait_until_idle(std::chrono::steady_clock::time_point deadline, watch* looks_at);

  virtual void enqueue_copy(const copy_2d& op, const operation& record) = 0;
  virtual void enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                                   const operation& record) = 0;
  virtual void enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                                  const operation& record) = 0;
  virtual void enqueue_kernel(const kernel_call& call, const operation& record) = 0;

  const observer_slot& observers() const { return observers_; }
  /// Whether operations come with their records when nobody observes; those are empty otherwise.
  virtual bool always_described() const { return false; }

 private:
  operation describe(operation_kind kind, std::string name, std::uint64_t bytes,
                     const operation_label& label) const;

  std::string name_;
  std::uint64_t id_;
  const observer_slot& observers_;
};

}  // namespace ithaca
