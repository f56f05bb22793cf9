#include "bench/gpu_choice.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace ithaca::bench {
namespace {

std::string too_few(std::size_t gpus) {
  return "there are more ranks than GPUs (" + std::to_string(gpus) + " on this host): start " +
         std::to_string(gpus) + " ranks, or choose --device host";
}

}  // namespace

chosen_gpus choose_gpus(const std::vector<int>& hosts,
                        const std::vector<std::vector<std::string>>& visible, gpu_sharing sharing) {
  chosen_gpus chosen;
  std::set<std::pair<int, std::string>> taken;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    const std::vector<std::string>& seen = visible[rank];
    if (seen.empty())
      return {{}, "no GPU is usable here: check the driver, or choose --device host"};
    const auto first_free = std::ranges::find_if(seen, [&](const std::string& gpu) {
      return !taken.contains({hosts[rank], gpu});
    });
    if (first_free == seen.end()) {
      if (sharing == gpu_sharing::refused) return {{}, too_few(seen.size())};
      const auto lower =
          std::count(hosts.begin(), hosts.begin() + static_cast<std::ptrdiff_t>(rank), hosts[rank]);
      chosen.ordinals.push_back(static_cast<int>(static_cast<std::size_t>(lower) % seen.size()));
      continue;
    }
    taken.emplace(hosts[rank], *first_free);
    chosen.ordinals.push_back(static_cast<int>(first_free - seen.begin()));
  }
  return chosen;
}

}  // namespace ithaca::bench
