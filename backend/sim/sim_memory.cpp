#include "backend/sim/sim_memory.hpp"

namespace ithaca::sim {

sim_memory::sim_memory(world& in, allocation& mapped, int rank)
    : memory(mapped.data, mapped.size_bytes), world_(in), mapped_(mapped), rank_(rank) {
  world_.map(mapped_, rank_);
}

sim_memory::~sim_memory() { world_.unmap(mapped_, rank_); }

}  // namespace ithaca::sim
