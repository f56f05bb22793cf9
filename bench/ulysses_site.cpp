#include "bench/ulysses_site.hpp"

namespace ithaca::bench {

std::vector<int> ulysses_ranks(int world_rank, int world_size, int degree) {
  const int groups = world_size / degree;
  std::vector<int> ranks;
  for (int rank = world_rank % groups; rank < world_size; rank += groups) ranks.push_back(rank);
  return ranks;
}

ulysses_site::ulysses_site(const group& world, device& on, const group_splitter& split, int degree)
    : ranks_(split(world.rank() % (world.size() / degree), world.rank())),
      global_ranks_(ulysses_ranks(world.rank(), world.size(), degree)),
      site_{*ranks_, on} {
  ranks_->set_timeout(world.timeout());
  ranks_->set_watch(world.watched());
}

}  // namespace ithaca::bench
