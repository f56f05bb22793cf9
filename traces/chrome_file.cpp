#include "traces/chrome_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace ithaca::traces {
namespace {

/// A file that vanishes again unless it took its final name.
class temporary_file {
 public:
  explicit temporary_file(std::filesystem::path path) : path_(std::move(path)) {}
  ~temporary_file() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove(path_, ignored);
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::error_code rename_to(const std::filesystem::path& to) {
    std::error_code failure;
    std::filesystem::rename(path_, to, failure);
    if (!failure) path_.clear();
    return failure;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

void write_chrome_file(const std::filesystem::path& path,
                       const std::function<void(std::ostream&)>& write) {
  temporary_file unfinished(path.string() + fmt::format(".{}.partial", ::getpid()));
  const auto fail = [&path](const std::error_code& why) {
    throw std::runtime_error(
        fmt::format("The trace {} could not be written: {}.", path.string(), why.message()));
  };
  // It would be replaced, which a folder can't be and a device must not be.
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path) &&
      !std::filesystem::is_directory(path)) {
    throw std::runtime_error(
        fmt::format("The trace {} could not be written: it is no regular file.", path.string()));
  }
  std::ofstream out(unfinished.path(), std::ios::binary | std::ios::trunc);
  if (!out) fail(std::error_code(errno, std::generic_category()));
  out.exceptions(std::ios::badbit | std::ios::failbit);
  try {
    write(out);
    out.close();
  } catch (const std::ios::failure&) {
    fail(std::error_code(errno, std::generic_category()));
  }
  if (const std::error_code failure = unfinished.rename_to(path)) fail(failure);
}

}  // namespace ithaca::traces
