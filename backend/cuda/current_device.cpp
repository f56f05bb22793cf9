#include "backend/cuda/current_device.hpp"

#include "backend/cuda/cuda_check.hpp"

namespace ithaca {

void make_current_device(int ordinal) { check(cudaSetDevice(ordinal), "cudaSetDevice"); }

}  // namespace ithaca
