#pragma once

#include <boost/container/small_vector.hpp>
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
  static constexpr std::size_t capacity = 4096;

  std::uint32_t of(std::uint32_t component) const {
    return component < times_.size() ? times_[component] : 0;
  }
  bool has_seen(const moment& at) const { return of(at.component) >= at.time; }

  /// The next moment of `component`, whose clock this is.
  moment tick(std::uint32_t component) {
    if (component >= times_.size()) times_.resize(component + 1);
    return {component, ++times_[component]};
  }

  /// Hears all that `other` has heard.
  void join(const vector_clock& other) {
    if (times_.size() < other.times_.size()) times_.resize(other.times_.size());
    for (std::size_t each = 0; each < other.times_.size(); ++each) {
      times_[each] = times_[each] < other.times_[each] ? other.times_[each] : times_[each];
    }
  }

 private:
  /// By component, as far as anything was heard. Few worlds have more than fit without memory of
  /// its own.
  boost::container::small_vector<std::uint32_t, 64> times_;
};

}  // namespace ithaca::sim
