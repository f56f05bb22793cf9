#pragma once

#include <mpi.h>

namespace ithaca {

/// Owns one MPI communicator.
class mpi_communicator {
 public:
  static mpi_communicator duplicate(MPI_Comm of);
  /// Ranks with the same `color`, ordered by `key`. Collective.
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
