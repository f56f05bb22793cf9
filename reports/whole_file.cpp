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

/// Where the contents go: what a link leads to, else the path itself. A rename would put a file in
/// the place of a device or a link.
std::filesystem::path place_of(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const bool is_link = fs::is_symlink(fs::symlink_status(path, failure));
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status) && !is_link) return path;
  if (!fs::is_regular_file(status)) {
    throw std::runtime_error(path.string() +
                             " is no regular file: name one that may be written, or a new one");
  }
  return is_link ? fs::canonical(path) : path;
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

/// A file that has no name until it is whole, so that nothing is left of one whose writer is
/// killed; where the file system can't do that, one named `partial`.
int open_partial(const std::filesystem::path& folder, const std::string& partial, bool& nameless) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644);
  nameless = file >= 0;
  if (nameless) return file;
  return ::open(partial.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

/// 0 or the errno.
int give_name(int file, const std::string& name) {
  ::unlink(name.c_str());
  const std::string itself = "/proc/self/fd/" + std::to_string(file);
  const int failed = ::linkat(AT_FDCWD, itself.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  return failed == 0 ? 0 : errno;
}

}  // namespace

void write_whole_file(const std::filesystem::path& to, std::string_view contents) {
  const std::filesystem::path path = place_of(to);
  const std::string partial = path.string() + ".partial";
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  bool nameless = false;
  const int file = open_partial(folder, partial, nameless);
  if (file < 0) fail(path, errno);
  int error = write_all(file, contents);
  // A rename replaces what stands there; a link can't.
  if (error == 0 && nameless) error = give_name(file, partial);
  // Network file systems report some failed writes only here.
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(partial.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(partial.c_str());
    fail(path, error);
  }
  sync_folder(folder);
}

}  // namespace ithaca::reports
