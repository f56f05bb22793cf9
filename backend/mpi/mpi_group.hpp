#pragma once

#include <memory>

#include "backend/descriptor_mesh.hpp"
#include "backend/group.hpp"
#include "backend/mpi/mpi_communicator.hpp"

namespace ithaca {

/// A group whose ranks are MPI processes.
class mpi_group final : public group {
 public:
  explicit mpi_group(mpi_communicator communicator);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  bool same_process(int peer) const override { return peer == rank_; }
  /// A death is seen by the end of a local socket, so only where all ranks share a host; elsewhere
  /// there are the deadlines.
  void watch_peers() override;

  /// Ranks with the same color form a group, ordered by key. Collective.
  std::unique_ptr<mpi_group> split(int color, int key);

  MPI_Comm native() const { return communicator_.native(); }

 protected:
  std::vector<std::vector<std::byte>> do_all_gather(std::span<const std::byte> mine) override;
  void do_barrier() override;
  std::vector<unique_fd> do_all_gather_descriptors(const unique_fd& mine) override;

 private:
  mpi_communicator communicator_;
  int rank_ = 0;
  int size_ = 0;
  descriptor_mesh& mesh();

  std::shared_ptr<descriptor_mesh> mesh_;  // opened by the watch, or the first descriptor
};

}  // namespace ithaca
