#include "bench/ways_taken.hpp"

#include <algorithm>
#include <cstddef>

namespace ithaca::bench {

std::string ways_taken(const std::vector<std::string>& of_ranks) {
  std::vector<std::string> ways, ranks;
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
    const auto known = std::ranges::find(ways, of_ranks[rank]);
    const auto at = static_cast<std::size_t>(known - ways.begin());
    if (known == ways.end()) {
      ways.push_back(of_ranks[rank]);
      ranks.emplace_back();
    }
    ranks[at] += (ranks[at].empty() ? "" : ", ") + std::to_string(rank);
  }
  if (ways.size() == 1) return ways.front();
  std::string text;
  for (std::size_t at = 0; at < ways.size(); ++at) {
    text += (at == 0 ? "ranks " : " | ranks ") + ranks[at] + ": " + ways[at];
  }
  return text;
}

}  // namespace ithaca::bench
