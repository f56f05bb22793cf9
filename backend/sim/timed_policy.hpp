#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "backend/sim/fabric.hpp"
#include "backend/sim/policy.hpp"

namespace ithaca::sim {

/// What a timed run is told besides the fabric's figures.
struct timed_run {
  std::uint64_t seed = 1;  ///< of the skew of arrival
  /// Thread blocks of the two kinds of push kernels: operations don't say.
  int push_ctas = 32;
  int push_exchange_ctas = 128;
};

/// Lets things happen when they would on a fabric: virtual time, from 0.
///
///   copy      its latency (`first_copy_ns`; `next_copy_ns` if its stream ended another no more
///             than `first_copy_ns` ago: the copy engine has not come to rest), then its bytes over
///             the fabric; within one GPU `local_copy_ns` and the memory's rate
///   kernel    `kernel_ns`; then, if it writes other GPUs' memory, `push_ns` and its bytes over the
///             fabric, else the larger of what it reads and writes at the memory's rate
///   write     `signal_write_ns`; seen elsewhere `signal_flight_ns` later
///   wait      until the write that it counts on is seen, and `signal_wait_ns`
///   event     a wait ends `event_ns` after its record at the earliest
///   host      each call that enqueues costs what the figures say; a program that waited goes on
///             `host_wake_ns` after what it waited for
///
/// A word that no stream has written was opened by a host, as a start gate is: each stream sees it
/// at a random time within `arrival_skew_ns`, which is how ranks come to an exchange one after the
/// other. Whatever happens at the same time happens in the order in which it was offered, so equal
/// seeds give equal runs.
class timed_policy final : public policy {
 public:
  timed_policy(const fabric_figures& figures, int ranks, timed_run run);

  void offer(const step& what) override;
  std::optional<std::uint32_t> next() override;
  /// Always: every call takes time.
  bool pauses(int, const sim_operation&) override { return true; }
  std::size_t pick(std::size_t count) override { return count - 1; }
  std::int64_t now_ns() const override { return fabric_.now_ns(); }

 private:
  struct due_step {
    std::int64_t at_ns = 0;
    std::uint64_t offered = 0;  // the how-manieth: equal times keep this order
    step what;
    bool operator>(const due_step& other) const {
      return std::pair(at_ns, offered) > std::pair(other.at_ns, other.offered);
    }
  };
  struct written {
    std::uint64_t value = 0;
    std::int64_t at_ns = 0;
  };

  void enqueue(const step& what, std::int64_t at_ns);
  const fabric_figures& figures() const { return fabric_.figures(); }
  std::int64_t host_cost_ns(const sim_operation* behind) const;
  /// When an operation that takes no time of its own is done.
  std::int64_t pass_at_ns(const sim_operation& op);
  /// When a kernel has written a signal, or has seen all that it awaits and that are there.
  std::int64_t signal_at_ns(const step& what) const;
  /// Now, or when the write that `awaited` counts on is seen if that is later.
  std::int64_t seen_at_ns(const signal& awaited) const;
  void begin_transfer(const step& what);
  /// Keeps what will be asked for later: the step happens now.
  void note(const step& what);
  void note_write(const signal& of);

  fabric fabric_;
  timed_run run_;
  std::mt19937_64 random_;
  std::uint64_t offered_ = 0;
  std::vector<due_step> due_;  // a heap, the earliest first
  std::unordered_map<fabric::transfer_id, step> moving_;
  std::unordered_map<std::uint32_t, std::int64_t> last_copy_ns_;  // ends, by stream
  std::unordered_map<const word*, std::vector<written>> writes_;  // the latest of each word
  std::unordered_map<std::uint32_t, bool> past_bytes_;  // by stream: its kernel has moved its bytes
};

}  // namespace ithaca::sim
