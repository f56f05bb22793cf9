#pragma once

#include <mpi.h>

#include <chrono>

#include "backend/watch.hpp"

namespace ithaca {

/// Owns one MPI communicator.
class mpi_communicator {
 public:
  /// All ranks of the launch, apart from what others say to each other. Collective, as `duplicate`.
  static mpi_communicator world();
  /// Collective. Throws `exchange_broken` when `deadline` passes first, or waiting is in vain by
  /// `looks_at` (may be null).
  static mpi_communicator duplicate(MPI_Comm of, std::chrono::steady_clock::time_point deadline,
                                    watch* looks_at);
  /// Ranks with the same `color`, ordered by `key`. Collective; MPI has no form of it that a
  /// deadline could end, so meet before it, and make it a `blocking_call`.
  static mpi_communicator split(MPI_Comm of, int color, int key);

  mpi_communicator(mpi_communicator&& other) noexcept;
  mpi_communicator& operator=(mpi_communicator&& other) noexcept = delete;
  ~mpi_communicator();

  MPI_Comm native() const { return communicator_; }

 private:
  explicit mpi_communicator(MPI_Comm adopted);
  MPI_Comm communicator_;
};

}  // namespace ithaca
