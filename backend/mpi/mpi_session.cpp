#include "backend/mpi/mpi_session.hpp"

#include <exception>

#include "backend/errors.hpp"

namespace ithaca {

void check(int status, const char* what, const std::source_location& at) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw exchange_broken(std::string(what) + " failed (" + at.file_name() + ":" +
                        std::to_string(at.line()) + "): " + text);
}

mpi_session::mpi_session(int& argc, char**& argv) {
  int provided = 0;
  check(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided), "MPI_Init_thread");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (provided < MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    throw invalid_use("this MPI was built without MPI_THREAD_MULTIPLE: use one that has it");
  }
}

mpi_session::~mpi_session() {
  // While an error unwinds, peers may never come to the collective finalize.
  if (std::uncaught_exceptions() == 0) MPI_Finalize();
}

std::string mpi_session::library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  check(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  const std::string version(text, static_cast<std::size_t>(length));
  return version.substr(0, version.find(','));
}

}  // namespace ithaca
