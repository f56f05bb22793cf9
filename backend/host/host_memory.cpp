#include "backend/host/host_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <string>
#include <utility>

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

/// The file that a peer handed over, or named.
unique_fd open_shared(shared_memory theirs) {
  if (theirs.handle.empty()) return std::move(theirs.descriptor);
  const std::string path(reinterpret_cast<const char*>(theirs.handle.data()), theirs.handle.size());
  unique_fd descriptor(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!descriptor) {
    throw invalid_use("host device: a peer's memory (" + path +
                      ") can't be opened: " + std::strerror(errno));
  }
  return descriptor;
}

}  // namespace

host_memory::host_memory(std::size_t bytes, memory_sharing how)
    : host_memory(create(bytes), bytes, how) {}

host_memory::host_memory(shared_memory theirs, std::size_t bytes)
    : host_memory(open_shared(std::move(theirs)), bytes, memory_sharing::descriptor) {}

host_memory::host_memory(unique_fd descriptor, std::size_t bytes, memory_sharing how)
    : memory(map(descriptor, bytes), bytes), descriptor_(std::move(descriptor)), how_(how) {}

host_memory::~host_memory() { munmap(data_, size_bytes_); }

shared_memory host_memory::share() const {
  shared_memory shared;
  if (how_ == memory_sharing::handle) {
    const std::string path =
        "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(descriptor_.get());
    const auto bytes = std::as_bytes(std::span(path));
    shared.handle.assign(bytes.begin(), bytes.end());
    return shared;
  }
  shared.descriptor = unique_fd(fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0));
  if (!shared.descriptor) {
    throw exchange_broken(std::string("host device: no descriptor left to export memory: ") +
                          std::strerror(errno));
  }
  return shared;
}

}  // namespace ithaca
