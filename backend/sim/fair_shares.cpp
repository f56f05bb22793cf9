#include "backend/sim/fair_shares.hpp"

#include <algorithm>
#include <limits>

namespace ithaca::sim {

std::vector<double> fair_shares(std::span<const double> capacities,
                                std::span<const flow_path> flows) {
  std::vector<double> left(capacities.begin(), capacities.end());
  std::vector<std::size_t> growing(capacities.size());  // flows of a port that still grow
  for (const flow_path& path : flows) {
    for (const std::size_t port : path) ++growing[port];
  }
  std::vector<double> rates(flows.size());
  std::vector<bool> stopped(flows.size());
  for (std::size_t open = flows.size(); open > 0;) {
    // The port that fills first: the least left for each of its flows.
    std::size_t fullest = 0;
    double share = std::numeric_limits<double>::infinity();
    for (std::size_t port = 0; port < left.size(); ++port) {
      if (growing[port] == 0) continue;
      const double here = left[port] / static_cast<double>(growing[port]);
      if (here < share) {
        share = here;
        fullest = port;
      }
    }
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      if (stopped[flow] || std::ranges::find(flows[flow], fullest) == flows[flow].end()) continue;
      stopped[flow] = true;
      rates[flow] = share;
      --open;
      for (const std::size_t port : flows[flow]) {
        left[port] = std::max(0.0, left[port] - share);
        --growing[port];
      }
    }
  }
  return rates;
}

}  // namespace ithaca::sim
