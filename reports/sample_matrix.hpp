#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace ithaca::reports {

/// All samples of one cell, in integer nanoseconds, by launch, round and iteration.
///
/// A sample is one timed iteration, the maximum over all ranks. The round is the paired block: arms
/// are compared within it. Launches are separate starts of the program.
class sample_matrix {
 public:
  using round = std::vector<std::int64_t>;
  using launch = std::vector<round>;

  sample_matrix() = default;
  /// Throws `std::invalid_argument` for a launch without rounds, a round without samples, or a
  /// sample that is not positive.
  explicit sample_matrix(std::vector<launch> launches);

  /// Adds a round to the last launch; without a launch it begins the first. Throws as above.
  void add_round(round samples_ns);

  const std::vector<launch>& launches() const { return launches_; }
  bool empty() const { return launches_.empty(); }
  std::size_t round_count() const;

  /// Every sample, in order.
  std::vector<double> all_ns() const;
  /// The median of each round, by launch.
  std::vector<std::vector<double>> round_medians_ns() const;

  /// Without the rounds of these numbers, counted over all launches from 0; a launch that loses all
  /// its rounds is gone, too.
  sample_matrix without(const std::set<int>& rounds) const;

  bool operator==(const sample_matrix&) const = default;

 private:
  std::vector<launch> launches_;
};

}  // namespace ithaca::reports
