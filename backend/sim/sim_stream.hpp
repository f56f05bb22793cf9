#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "backend/sim/actor.hpp"
#include "backend/sim/world.hpp"
#include "backend/stream.hpp"

namespace ithaca::sim {

/// A stream of a simulated device: a queue whose first operation takes its steps when the world's
/// policy chooses it. Copies and kernels begin and end in steps of their own, so that those of
/// several streams are under way at once. Order among operations comes from what they have heard:
///
///   enqueue      an operation has heard what its host program had
///   stream       ... and what all operations before it had
///   event        a wait hears what the record had that it was enqueued for
///   signal       a write tells what it has heard; a wait hears what the first write told that
///                reached its value
///   synchronize  the host program hears what the stream has
///
/// A kernel reads, awaits `before`, writes, signals `after` in any order and then `sent`, awaits
/// `last`, and signals `ended`. The destructor abandons what has not ended.
class sim_stream final : public stream, private actor {
 public:
  sim_stream(world& in, int rank, std::string name, const observer_slot& observers);
  ~sim_stream() override;

  int rank() const { return rank_; }

  void record(event& at) override;
  void wait(const event& at) override;
  /// Lets others go first if there is something left to run.
  bool idle() override;

  /// A wait that looks for the value itself, and misses it when a later one is there first: the
  /// fault that `wait_value` does not have.
  void wait_for_equality(const std::uint64_t* address, std::uint64_t value,
                         const operation_label& label);

  /// Calls `use` with every enqueued operation that touches `memory`; `data_only`: not with those
  /// that only signal in it.
  void for_each_use(const allocation& memory, bool data_only,
                    const std::function<void(const operation_note&)>& use) const;

 protected:
  /// Until nothing in the world can run, whatever the deadline.
  bool wait_until_idle(std::chrono::steady_clock::time_point deadline,
                       ithaca::watch* looks_at) override;
  bool always_described() const override { return true; }
  void enqueue_copy(const copy_2d& op, const operation& record) override;
  void enqueue_write_value(std::uint64_t* address, std::uint64_t value,
                           const operation& record) override;
  void enqueue_wait_value(const std::uint64_t* address, std::uint64_t value,
                          const operation& record) override;
  void enqueue_kernel(const kernel_call& call, const operation& record) override;

 private:
  /// Where the first operation is in its life.
  enum class phase { queued, awaiting_before, running, signalling, awaiting_last, ending };

  enum class writing { no, yes };

  bool possible() const override;
  step next_step() const override;
  void take() override;
  void watch() override;
  blockage waits_for() const override;

  sim_operation& make(sim_operation_kind kind, const operation& record);
  sim_operation& make(sim_operation_kind kind, std::string_view name);
  declared_access declare(const pitched_bytes& bytes, access_kind kind) const;
  void enqueue(sim_operation& made);
  host_program& host() const { return world_.host(rank_); }

  bool reached(const signal& awaited, bool exactly = false) const;
  /// The signal that the first operation waits for; null if it waits for none.
  const signal* awaited() const;

  void begin();
  /// The part of the accesses of the first operation that begins now.
  void access(writing now);
  void move_bytes();
  void signal_next();
  void write(const signal& to);
  void acquire(const signal& from);
  void to(phase next);
  void finish();

  world& world_;
  int rank_;
  std::uint32_t party_;
  std::uint32_t component_;
  vector_clock heard_;
  std::shared_ptr<const vector_clock> latest_snapshot_;  // of the host, that was handed on
  operation_note latest_;                                // enqueued, but for events
  sim_operation* first_ = nullptr;
  sim_operation* last_ = nullptr;
  phase phase_ = phase::queued;
  std::size_t awaited_ = 0;  // how many of a kernel's signals have been seen
  std::exception_ptr failure_;
};

}  // namespace ithaca::sim
