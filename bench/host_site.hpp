#pragma once

#include <memory>
#include <vector>

#include "backend/group.hpp"
#include "bench/ulysses_site.hpp"

namespace ithaca::bench {

/// The ranks of the world that are on this rank's host.
class host_site {
 public:
  /// Collective over the world.
  host_site(group& world, const group_splitter& split);

  group& ranks() { return *ranks_; }
  /// World rank of each of them.
  const std::vector<int>& global_ranks() const { return global_ranks_; }

 private:
  std::unique_ptr<group> ranks_;
  std::vector<int> global_ranks_;
};

}  // namespace ithaca::bench
