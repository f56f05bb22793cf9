#include "backend/mpi/launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace ithaca {

bool started_by_launcher() {
  // Open MPI, PMIx (also srun's), PMI (MPICH and relatives).
  constexpr const char* marks[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  return std::any_of(std::begin(marks), std::end(marks),
                     [](const char* mark) { return std::getenv(mark) != nullptr; });
}

}  // namespace ithaca
