#pragma once

#include <vector>

namespace ithaca::reports {

/// Where the process of one rank may run.
struct rank_place {
  int rank = 0;
  int cpu_cores = 0;
  std::vector<int> numa_nodes = {};  ///< of those cores; none where the system doesn't say
  int host = 0;                      ///< ranks of one host have the same; numbered in their order
  bool operator==(const rank_place&) const = default;
};

}  // namespace ithaca::reports
