#include "backend/mpi/launch.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace ithaca {

bool started_by_launcher() {
  // Open MPI, PMIx (also srun's), PMI (MPICH and relatives).
  constexpr const char* marks[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"};
  return std::any_of(std::begin(marks), std::end(marks),
                     [](const char* mark) { return std::getenv(mark) != nullptr; });
}

int launched_rank() {
  const char* const text = std::getenv("OMPI_COMM_WORLD_RANK");
  int rank = -1;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), rank);
  return rank;
}

}  // namespace ithaca
