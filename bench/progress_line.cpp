#include "bench/progress_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "backend/unique_fd.hpp"

namespace ithaca::bench {
namespace {

/// Whether somebody watches standard error. A launcher hands its ranks a pipe and copies it to its
/// own standard error, so that of the parent counts too.
bool watched() {
  if (isatty(STDERR_FILENO) != 0) return true;
  const std::string of_parent = fmt::format("/proc/{}/fd/2", getppid());
  const unique_fd opened(open(of_parent.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
  return opened && isatty(opened.get()) != 0;
}

}  // namespace

progress_line::progress_line(bool speaks, std::size_t steps)
    : shown_(speaks && watched()), steps_(std::max<std::size_t>(1, steps)) {}

progress_line::~progress_line() {
  if (shown_) erase();
}

void progress_line::advance(const std::string& doing) {
  ++done_;
  if (!shown_) return;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started_;
  const double share = std::min(1.0, static_cast<double>(done_) / static_cast<double>(steps_));
  const double left_s = passed.count() * (1.0 - share) / share;
  erase();
  std::fputs(fmt::format("[{:3.0f} %] {:.0f} s left  {:.60}", 100 * share, left_s, doing).c_str(),
             stderr);
  std::fflush(stderr);
}

void progress_line::erase() const {
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

}  // namespace ithaca::bench
