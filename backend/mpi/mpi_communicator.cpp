#include "backend/mpi/mpi_communicator.hpp"

#include <exception>
#include <utility>

#include "backend/mpi/mpi_completion.hpp"
#include "backend/mpi/mpi_session.hpp"

namespace ithaca {

mpi_communicator::mpi_communicator(MPI_Comm adopted) : communicator_(adopted) {
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
}

mpi_communicator mpi_communicator::world() {
  constexpr std::chrono::seconds start_up{30};
  return duplicate(MPI_COMM_WORLD, std::chrono::steady_clock::now() + start_up, nullptr);
}

mpi_communicator mpi_communicator::duplicate(MPI_Comm of,
                                             std::chrono::steady_clock::time_point deadline,
                                             watch* looks_at) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Comm_idup(of, &copy, &request), "MPI_Comm_idup");
  complete(request, deadline, "duplicating the communicator", looks_at);
  return mpi_communicator(copy);
}

mpi_communicator mpi_communicator::split(MPI_Comm of, int color, int key) {
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split(of, color, key, &part), "MPI_Comm_split");
  return mpi_communicator(part);
}

mpi_communicator::mpi_communicator(mpi_communicator&& other) noexcept
    : communicator_(std::exchange(other.communicator_, MPI_COMM_NULL)) {}

mpi_communicator::~mpi_communicator() {
  // Freeing is collective: not while an error unwinds on this rank alone.
  if (communicator_ != MPI_COMM_NULL && std::uncaught_exceptions() == 0) {
    MPI_Comm_free(&communicator_);
  }
}

}  // namespace ithaca
