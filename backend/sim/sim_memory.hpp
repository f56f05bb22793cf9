#pragma once

#include "backend/device.hpp"
#include "backend/sim/world.hpp"

namespace ithaca::sim {

/// One rank's mapping of an allocation, its own or a peer's.
class sim_memory final : public memory {
 public:
  sim_memory(world& in, allocation& mapped, int rank);
  ~sim_memory() override;

  const allocation& mapped() const { return mapped_; }

 private:
  world& world_;
  allocation& mapped_;
  int rank_;
};

}  // namespace ithaca::sim
