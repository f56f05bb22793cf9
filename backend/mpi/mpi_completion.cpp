#include "backend/mpi/mpi_completion.hpp"

#include <string>

#include "backend/errors.hpp"
#include "backend/host_wait.hpp"
#include "backend/mpi/mpi_session.hpp"

namespace ithaca {

void complete(MPI_Request request, std::chrono::steady_clock::time_point deadline, const char* what,
              watch* looks_at) {
  const auto is_done = [&] {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
    return done != 0;
  };
  bool done = false;
  try {
    done = wait_until(deadline, looks_at, std::chrono::microseconds(20), is_done);
  } catch (const exchange_broken& failure) {
    throw exchange_broken(std::string(failure.what()) + "; in " + what);
  }
  if (done) return;
  throw exchange_broken(std::string(what) +
                        " ran out of time: a rank is gone, stopped, or in another call");
}

}  // namespace ithaca
