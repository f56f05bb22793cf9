#pragma once

#include <chrono>
#include <memory>

#include "backend/mpi/mpi_communicator.hpp"
#include "backend/mpi/mpi_group.hpp"
#include "backend/packed_transport.hpp"

namespace ithaca {

/// MPI_Ialltoallv on a communicator of its own, called from the stream's thread: the baseline of
/// machines without a GPU. Host memory only.
class mpi_transport final : public packed_transport {
 public:
  /// Collective over `among`. An exchange that takes longer than its timeout is `exchange_broken`.
  explicit mpi_transport(const mpi_group& among);

  std::string why_not(std::span<const std::size_t> send_bytes,
                      std::span<const std::size_t> receive_bytes) const override;
  kernel_call all_to_all(const std::byte* send, std::span<const std::size_t> send_bytes,
                         std::byte* receive, std::span<const std::size_t> receive_bytes) override;

 private:
  mpi_communicator communicator_;
  std::chrono::milliseconds timeout_;
  std::shared_ptr<watch> looks_at_;
};

}  // namespace ithaca
