#include "backend/sim/host_program.hpp"

#include <utility>

#include "backend/sim/world.hpp"

namespace ithaca::sim {

host_program::host_program(world& in, int rank, std::uint32_t party, std::function<void()> body)
    : world_(in), rank_(rank), party_(party), fiber_([this, body = std::move(body)] {
        state_ = state::running;
        body();
        state_ = state::ready;
      }) {}

bool host_program::wait_until(std::function<bool()> reached, std::function<blockage()> what,
                              std::vector<actor*>* woken_by) {
  if (reached()) return true;
  world_.require_hope();
  reached_ = std::move(reached);
  what_ = std::move(what);
  woken_by_ = woken_by;
  given_up_ = false;
  do {
    state_ = state::waiting;
    watch();
    fiber_.yield();
    state_ = state::running;
  } while (!reached_() && !given_up_);
  stop_watching();
  woken_by_ = nullptr;
  return reached_();
}

void host_program::pause(const sim_operation* behind) {
  state_ = state::ready;
  behind_ = behind;
  world_.wake(*this);
  fiber_.yield();
  behind_ = nullptr;
  state_ = state::running;
}

void host_program::hear(const vector_clock& other) {
  heard_.join(other);
  snapshot_.reset();
}

moment host_program::tick() {
  snapshot_.reset();
  return heard_.tick(static_cast<std::uint32_t>(rank_));
}

const std::shared_ptr<const vector_clock>& host_program::snapshot() {
  if (!snapshot_) snapshot_ = std::make_shared<const vector_clock>(heard_);
  return snapshot_;
}

bool host_program::possible() const {
  if (ended() || state_ == state::running) return false;
  return state_ == state::ready || given_up_ || reached_();
}

step host_program::next_step() const { return {step_kind::host, number, rank_, behind_}; }

void host_program::watch() {
  if (woken_by_) actor::watch(*woken_by_);
}

blockage host_program::waits_for() const {
  const std::string mine = world_.judge().describe_party(party_);
  if (ended()) return {mine + " has ended", true};
  if (state_ != state::waiting) return {};
  const blockage why = what_();
  return {mine + " waits for " + why.text, why.on_other_ranks};
}

}  // namespace ithaca::sim
