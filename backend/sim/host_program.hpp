#pragma once

#include <functional>
#include <memory>
#include <string>

#include "backend/sim/actor.hpp"
#include "backend/sim/host_fiber.hpp"
#include "backend/sim/vector_clock.hpp"

namespace ithaca::sim {

class world;

/// A rank's host program, and what it has heard.
class host_program final : public actor {
 public:
  host_program(world& in, int rank, std::uint32_t party, std::function<void()> body);

  int rank() const { return rank_; }
  std::uint32_t party() const { return party_; }
  bool ended() const { return fiber_.ended(); }

  // What the program calls, through its device and its group.

  /// Waits until `reached`; false if the world has come to a stop before. `what` says for what.
  bool wait_until(std::function<bool()> reached, std::function<blockage()> what,
                  std::vector<actor*>* woken_by = nullptr);
  /// Lets others go first.
  void pause(const sim_operation* behind = nullptr);

  const vector_clock& heard() const { return heard_; }
  void hear(const vector_clock& other);
  /// A moment of its own, for an access.
  moment tick();
  /// What it has heard, for the operations that it enqueues: the same object until that changes.
  const std::shared_ptr<const vector_clock>& snapshot();

  // What the world calls.

  void give_up() { given_up_ = true; }
  bool possible() const override;
  step next_step() const override;
  void take() override { fiber_.resume(); }
  void watch() override;
  blockage waits_for() const override;

 private:
  enum class state { ready, waiting, running };

  world& world_;
  int rank_;
  std::uint32_t party_;
  state state_ = state::ready;
  bool given_up_ = false;
  std::function<bool()> reached_;
  std::function<blockage()> what_;
  std::vector<actor*>* woken_by_ = nullptr;
  const sim_operation* behind_ = nullptr;
  vector_clock heard_;
  std::shared_ptr<const vector_clock> snapshot_;
  host_fiber fiber_;
};

}  // namespace ithaca::sim
