#include "backend/cuda/ipc_allocation.hpp"

#include "backend/cuda/cuda_check.hpp"
#include "backend/cuda/current_device.hpp"
#include "backend/cuda/out_of_memory.hpp"

namespace ithaca {
namespace {

/// Whole pages: a handle names the pages that it lies on, and what shares them would be shared too.
constexpr std::size_t page_bytes = std::size_t{2} << 20;

}  // namespace

ipc_allocation::ipc_allocation(int ordinal, std::size_t bytes) {
  make_current_device(ordinal);
  const cudaError_t status = cudaMalloc(&at_, (bytes + page_bytes - 1) / page_bytes * page_bytes);
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());  // an answer, not an error for others to find
    refuse_for_memory(ordinal, bytes);
  }
  check(status, "cudaMalloc");
}

ipc_allocation::~ipc_allocation() {
  if (openers_.value() == 0) static_cast<void>(cudaFree(at_));
}

}  // namespace ithaca
