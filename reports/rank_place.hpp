#pragma once

#include <vector>

namespace ithaca::reports {

/// Where the process of one rank may run.
struct rank_place {
  int rank = 0;
  int cpu_cores = 0;
  std::vector<int> numa_nodes = {};  ///< of those cores; none where the system doesn't say
  bool operator==(const rank_place&) const = default;
};

}  // namespace ithaca::reports
