#include "backend/mpi/mpi_completion.hpp"

#include <string>
#include <thread>

#include "backend/errors.hpp"
#include "backend/mpi/mpi_session.hpp"

namespace ithaca {

void complete(MPI_Request request, std::chrono::steady_clock::time_point deadline,
              const char* what) {
  // Spin briefly, then leave the core to the ranks that it may be shared with.
  for (int spin = 0;; ++spin) {
    int done = 0;
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
    if (done) return;
    if (std::chrono::steady_clock::now() >= deadline) {
      throw exchange_broken(std::string(what) +
                            " ran out of time: a rank is gone, stopped, or in another call");
    }
    if (spin > 1000)
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    else
      std::this_thread::yield();
  }
}

}  // namespace ithaca
