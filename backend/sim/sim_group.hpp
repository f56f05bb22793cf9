#pragma once

#include <cstdint>
#include <vector>

#include "backend/group.hpp"
#include "backend/sim/world.hpp"

namespace ithaca::sim {

/// Where the ranks of a world meet for a group call.
struct meeting_place {
  explicit meeting_place(int ranks);

  std::vector<std::vector<std::byte>> handed_in, result;
  std::vector<bool> present;
  int missing = 0;
  std::uint64_t round = 0;
};

/// All ranks of a world. A call ends when all have come, and then all have heard what each had; it
/// is `exchange_broken` if nothing in the world can run before. Each rank maps memory for itself,
/// as processes do.
class sim_group final : public group {
 public:
  sim_group(world& in, meeting_place& at, int rank) : world_(in), place_(at), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return world_.ranks(); }
  bool same_process(int peer) const override { return peer == rank_; }

 protected:
  std::vector<std::vector<std::byte>> do_all_gather(std::span<const std::byte> mine) override;
  void do_barrier() override { do_all_gather({}); }
  std::vector<unique_fd> do_all_gather_descriptors(const unique_fd& mine) override;

 private:
  std::string absent() const;

  world& world_;
  meeting_place& place_;
  int rank_;
};

}  // namespace ithaca::sim
