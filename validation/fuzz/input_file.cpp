#include "validation/fuzz/input_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace ithaca::validation {

input_file::input_file(const std::uint8_t* bytes, std::size_t size)
    : file_(::memfd_create("fuzz input", MFD_CLOEXEC)) {
  if (file_.get() < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  if (::write(file_.get(), bytes, size) != static_cast<ssize_t>(size)) {
    throw std::system_error(errno, std::generic_category(), "write");
  }
}

std::filesystem::path input_file::path() const {
  return "/proc/self/fd/" + std::to_string(file_.get());
}

}  // namespace ithaca::validation
