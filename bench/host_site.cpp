#include "bench/host_site.hpp"

namespace ithaca::bench {

host_site::host_site(group& world, const group_splitter& split) {
  const std::vector<int>& hosts = world.hosts();
  const int mine = hosts[static_cast<std::size_t>(world.rank())];
  for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
    if (hosts[rank] == mine) global_ranks_.push_back(static_cast<int>(rank));
  }
  ranks_ = split(mine, world.rank());
  ranks_->set_timeout(world.timeout());
  ranks_->set_watch(world.watched());
}

}  // namespace ithaca::bench
