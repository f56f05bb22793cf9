#include "reports/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>

namespace ithaca::reports {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw std::runtime_error(fmt::format("{} can't be written: {}", path.string(),
                                       std::generic_category().message(error)));
}

/// Writes and syncs; 0 or the errno of what failed.
int write_all(int file, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = ::write(file, contents.data(), contents.size());
    if (written >= 0) {
      contents.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return ::fsync(file) == 0 ? 0 : errno;
}

/// A rename is on the disk once its folder is. Some file systems can't sync a folder; the file is
/// whole all the same, so that is no failure.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

void write_whole_file(const std::filesystem::path& path, std::string_view contents) {
  const std::string partial = path.string() + ".partial";
  const int file = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) fail(path, errno);
  int error = write_all(file, contents);
  // Network file systems report some failed writes only here.
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(partial.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(partial.c_str());
    fail(path, error);
  }
  sync_folder(path.has_parent_path() ? path.parent_path() : ".");
}

}  // namespace ithaca::reports
