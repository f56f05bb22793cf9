#include "backend/cuda/out_of_memory.hpp"

#include <cuda_runtime_api.h>

#include <string>

#include "backend/cuda/cuda_check.hpp"
#include "backend/errors.hpp"

namespace ithaca {

void refuse_for_memory(int ordinal, std::size_t bytes) {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  throw invalid_use("GPU " + std::to_string(ordinal) +
                    " is out of memory: " + std::to_string(bytes) + " bytes asked for, " +
                    std::to_string(free) + " of " + std::to_string(total) + " free");
}

}  // namespace ithaca
