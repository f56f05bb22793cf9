#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/sim/policy.hpp"

namespace ithaca::sim {

/// What an actor waits for, as one line of a story.
struct blockage {
  std::string text = {};        ///< empty: it waits for nothing
  bool on_other_ranks = false;  ///< else on its own rank's streams
};

/// Something in a world that takes one step after the other: a host program, or a stream.
class actor {
 public:
  virtual ~actor() { stop_watching(); }
  actor() = default;
  actor(const actor&) = delete;
  actor& operator=(const actor&) = delete;

  /// Whether the next step can happen now.
  virtual bool possible() const = 0;
  virtual step next_step() const = 0;
  /// Takes the next step.
  virtual void take() = 0;
  /// Sees to it that it is woken when the next step may have become possible.
  virtual void watch() {}
  virtual blockage waits_for() const = 0;

  std::uint32_t number = 0;  ///< in the world
  bool offered = false;      ///< its step is on offer

 protected:
  void watch(std::vector<actor*>& watchers) {
    if (watched_ == &watchers) return;
    stop_watching();
    watchers.push_back(this);
    watched_ = &watchers;
  }
  void stop_watching() {
    if (watched_) std::erase(*watched_, this);
    watched_ = nullptr;
  }

 private:
  std::vector<actor*>* watched_ = nullptr;
};

}  // namespace ithaca::sim
