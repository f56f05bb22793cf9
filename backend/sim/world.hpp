#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/sim/checker.hpp"
#include "backend/sim/host_program.hpp"
#include "backend/sim/memory_map.hpp"
#include "backend/sim/policy.hpp"

namespace ithaca::sim {

/// What all ranks of a simulation share: their programs and streams, memory, the checker, and the
/// loop that takes one step after the other. `simulate` makes one; devices and groups hold it.
class world {
 public:
  /// `chooses` outlives the world.
  world(int ranks, bool move_bytes, policy& chooses);

  int ranks() const { return ranks_; }
  bool moves_bytes() const { return memory_.backed(); }
  policy& chooses() { return policy_; }
  checker& judge() { return checker_; }
  memory_map& memory() { return memory_; }
  host_program& host(int rank) { return *hosts_[static_cast<std::size_t>(rank)]; }

  /// The program of the next rank.
  void add_host(std::function<void()> body);
  /// Runs until all programs have ended.
  void run();

  void enter(actor& each);
  void leave(const actor& each);
  /// Offers the actor's next step if it is possible.
  void wake(actor& each);
  /// As `wake`, for all of `watchers`.
  void wake_all(const std::vector<actor*>& watchers);

  /// A component of the clocks for a stream of `rank`. Throws `invalid_use` if none is left.
  std::uint32_t take_component(int rank);
  /// Gives it back, for streams that `rank` makes later. Only if the rank has heard of all that
  /// the stream did: they must not seem to come after what they never heard of.
  void give_component(int rank, std::uint32_t component);

  sim_operation& take_operation();
  void give_operation(sim_operation& done);

  /// `rank` has mapped `memory`, or lets go of its mapping.
  void map(allocation& memory, int rank);
  void unmap(allocation& memory, int rank) noexcept;

  /// A note for something that the host program of `rank` does.
  operation_note host_note(int rank, std::string_view name);

  /// Throws `exchange_broken` once programs have come to a stop too often: one of them tries again
  /// for ever.
  void require_hope() const;

  std::uint64_t steps() const { return steps_; }
  std::uint64_t operations() const { return operations_; }
  std::uint64_t digest() const { return digest_; }

 private:
  void give_up();
  std::string deadlock_story() const;

  int ranks_;
  policy& policy_;
  memory_map memory_;
  checker checker_;
  std::vector<std::unique_ptr<host_program>> hosts_;
  std::vector<actor*> actors_;  // by number; null: gone
  std::uint32_t next_component_;
  std::vector<std::vector<std::uint32_t>> free_components_;  // by rank
  std::vector<std::unique_ptr<sim_operation>> made_;
  sim_operation* free_ = nullptr;
  std::uint64_t steps_ = 0;
  std::uint64_t operations_ = 0;
  std::uint64_t digest_ = 14695981039346656037ull;
  int stops_ = 0;
};

}  // namespace ithaca::sim
