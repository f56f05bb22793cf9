#include "backend/shared_count.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "backend/errors.hpp"

namespace ithaca {
namespace {

[[noreturn]] void fail(const char* what) {
  throw exchange_broken(std::string("counting who has memory open: ") + what + ": " +
                        std::strerror(errno));
}

unique_fd create_word(std::size_t bytes) {
  unique_fd descriptor(memfd_create("ithaca-count", MFD_CLOEXEC));
  if (!descriptor || ftruncate(descriptor.get(), static_cast<off_t>(bytes)) != 0) fail("memfd");
  return descriptor;
}

}  // namespace

shared_count::shared_count() : shared_count(create_word(sizeof(word))) {}

shared_count::shared_count(unique_fd descriptor) : descriptor_(std::move(descriptor)) {
  void* at = mmap(nullptr, sizeof(word), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
  if (at == MAP_FAILED) fail("mmap");
  at_.reset(static_cast<word*>(at));
}

unique_fd shared_count::duplicate() const {
  unique_fd descriptor(fcntl(descriptor_.get(), F_DUPFD_CLOEXEC, 0));
  if (!descriptor) fail("a descriptor");
  return descriptor;
}

void shared_count::unmap::operator()(word* at) const noexcept { munmap(at, sizeof(word)); }

}  // namespace ithaca
