#pragma once

#include <mpi.h>

#include <source_location>
#include <string>

namespace ithaca {

/// Throws `exchange_broken` with MPI's own text unless `status` is MPI_SUCCESS.
void check(int status, const char* what,
           const std::source_location& at = std::source_location::current());

/// MPI between MPI_Init_thread and MPI_Finalize. Exchangers call MPI from stream threads beside
/// the main thread, so it asks for MPI_THREAD_MULTIPLE and throws `invalid_use` without it.
class mpi_session {
 public:
  mpi_session(int& argc, char**& argv);
  ~mpi_session();
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;

  static std::string library_version();
};

}  // namespace ithaca
