#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ithaca::sim {

/// A moment in the life of one component: a rank's host program, or one of its streams.
struct moment {
  std::uint32_t component = 0;
  std::uint32_t time = 0;  ///< from 1; 0: before anything
};

/// What a component has heard of every other, directly or through others: for each of them, its
/// latest moment that happened before. Two things that have not heard of each other may happen in
/// either order, or at once.
class vector_clock {
 public:
  /// Components of a world at one time: ranks and streams.
  static constexpr std::size_t capacity = 64;

  std::uint32_t of(std::uint32_t component) const { return times_[component]; }
  bool has_seen(const moment& at) const { return times_[at.component] >= at.time; }

  /// The next moment of `component`, whose clock this is.
  moment tick(std::uint32_t component) { return {component, ++times_[component]}; }

  /// Hears all that `other` has heard.
  void join(const vector_clock& other) {
    for (std::size_t each = 0; each < capacity; ++each) {
      times_[each] = times_[each] < other.times_[each] ? other.times_[each] : times_[each];
    }
  }

  bool operator==(const vector_clock&) const = default;

 private:
  std::array<std::uint32_t, capacity> times_ = {};
};

}  // namespace ithaca::sim
