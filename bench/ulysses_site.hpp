#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "backend/group.hpp"
#include "bench/arm.hpp"

namespace ithaca::bench {

/// Splits the world: ranks with the same color form a group, ordered by key. Collective.
using group_splitter = std::function<std::unique_ptr<group>(int color, int key)>;

/// This rank's Ulysses group of one degree. R ranks form R / U groups, the tensor-parallel index
/// innermost: R = 4, U = 2 is {0, 2} and {1, 3}.
class ulysses_site {
 public:
  /// Collective over the world.
  ulysses_site(const group& world, device& on, const group_splitter& split, int degree);

  arm_site& site() { return site_; }
  group& ranks() { return *ranks_; }
  /// World rank of each rank of the group.
  const std::vector<int>& global_ranks() const { return global_ranks_; }

 private:
  std::unique_ptr<group> ranks_;
  std::vector<int> global_ranks_;
  arm_site site_;
};

/// World ranks of the group that `world_rank` is in.
std::vector<int> ulysses_ranks(int world_rank, int world_size, int degree);

}  // namespace ithaca::bench
