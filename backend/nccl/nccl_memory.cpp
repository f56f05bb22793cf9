#include "backend/nccl/nccl_memory.hpp"

#include <string>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

std::byte* allocate(const nccl_library& nccl, std::size_t bytes) {
  void* at = nullptr;
  if (nccl.mem_alloc(&at, bytes) != ncclSuccess) {
    throw invalid_use("ncclMemAlloc of " + std::to_string(bytes) +
                      " bytes failed: " + nccl.get_last_error(nullptr));
  }
  return static_cast<std::byte*>(at);
}

}  // namespace

nccl_memory::nccl_memory(std::shared_ptr<const nccl_library> nccl, std::size_t bytes)
    : memory(allocate(*nccl, bytes), bytes), nccl_(std::move(nccl)) {}

nccl_memory::~nccl_memory() { nccl_->mem_free(data_); }

}  // namespace ithaca
