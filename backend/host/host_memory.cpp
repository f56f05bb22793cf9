#include "backend/host/host_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

[[noreturn]] void refuse(const char* what, std::size_t bytes) {
  throw invalid_use("host device: " + std::string(what) + " of " + std::to_string(bytes) +
                    " bytes failed: " + std::strerror(errno));
}

unique_fd create(std::size_t bytes) {
  unique_fd descriptor(memfd_create("ithaca", MFD_CLOEXEC));
  if (!descriptor || ftruncate(descriptor.get(), static_cast<off_t>(bytes)) != 0) {
    refuse("memory", bytes);
  }
  return descriptor;
}

std::byte* map(const unique_fd& descriptor, std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.get(), 0);
  if (at == MAP_FAILED) refuse("a mapping", bytes);
  return static_cast<std::byte*>(at);
}

}  // namespace

host_memory::host_memory(std::size_t bytes) : host_memory(create(bytes), bytes) {}

host_memory::host_memory(unique_fd descriptor, std::size_t bytes)
    : memory(map(descriptor, bytes), bytes), descriptor_(std::move(descriptor)) {}

host_memory::~host_memory() { munmap(data_, size_bytes_); }

}  // namespace ithaca
