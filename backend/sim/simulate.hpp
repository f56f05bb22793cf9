#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "backend/device.hpp"
#include "backend/group.hpp"
#include "backend/sim/finding.hpp"
#include "backend/sim/policy.hpp"

namespace ithaca::sim {

struct simulation_options {
  int ranks = 2;
  /// Moves the bytes too, so that a program can check them. Without, declared accesses alone are
  /// judged: kernels are not called, and memory is address space that nobody may touch.
  bool move_bytes = true;
};

/// How one schedule of a program went.
struct simulation_result {
  std::vector<finding> findings;
  std::vector<std::exception_ptr> failures;  ///< by rank; null: its program returned
  std::uint64_t steps = 0;
  std::uint64_t operations = 0;   ///< enqueued
  std::uint64_t digest = 0;       ///< of the order of steps: equal for equal schedules
  std::size_t most_accesses = 0;  ///< that were kept for one allocation at a time
};

/// Runs `program` once for every rank, each with its rank's group and device, all in this thread:
/// a rank goes on until it waits, then others do, in the order that `chooses` says. The devices and
/// the group must not be used after the program has returned.
///
/// Every access is judged by the order that streams, events, signals, group calls and waits of the
/// host impose, not by the order in which this schedule happened to run: what nothing orders is a
/// finding, even where it went well. A deadlock is one when nothing can run any more; deadlines
/// mean nothing here, so that is when waits of the host return false, and group calls throw.
simulation_result simulate(const simulation_options& options, policy& chooses,
                           const std::function<void(group&, device&)>& program);
/// In the schedule that an `exploring_policy` takes with `seed`.
simulation_result simulate(const simulation_options& options, std::uint64_t seed,
                           const std::function<void(group&, device&)>& program);

/// Rethrows the failure of the lowest rank that failed.
void rethrow_failure(const simulation_result& result);

}  // namespace ithaca::sim
