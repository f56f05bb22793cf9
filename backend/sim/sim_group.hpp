#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "backend/group.hpp"
#include "backend/sim/world.hpp"

namespace ithaca::sim {

/// Where the ranks of a group meet for a group call.
struct meeting_place {
  explicit meeting_place(std::vector<int> members);

  std::vector<int> members;  ///< ranks of the world, by rank of the group
  std::vector<std::vector<std::byte>> handed_in, result;
  std::vector<bool> present;
  int missing = 0;
  std::uint64_t round = 0;
};

/// Ranks of a world. A call ends when all have come, and then all have heard what each had; it
/// is `exchange_broken` if nothing in the world can run before. Each rank maps memory for itself,
/// as processes do.
class sim_group final : public group {
 public:
  /// `rank`: of the group, in the order of the place's members.
  sim_group(world& in, std::shared_ptr<meeting_place> at, int rank)
      : world_(in), place_(std::move(at)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(place_->members.size()); }
  bool same_process(int peer) const override { return peer == rank_; }

  /// The ranks with the same color as a group, ordered by key, then by rank. Collective.
  std::unique_ptr<group> split(int color, int key);

 protected:
  std::vector<std::vector<std::byte>> do_all_gather(std::span<const std::byte> mine) override;
  void do_barrier() override { do_all_gather({}); }
  std::vector<unique_fd> do_all_gather_descriptors(const unique_fd& mine) override;

 private:
  std::string absent() const;
  host_program& host(int rank) const {
    return world_.host(place_->members[static_cast<std::size_t>(rank)]);
  }

  world& world_;
  std::shared_ptr<meeting_place> place_;
  int rank_;
};

}  // namespace ithaca::sim
