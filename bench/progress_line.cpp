#include "bench/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace ithaca::bench {

progress_line::progress_line(bool speaks, std::size_t steps)
    : shown_(speaks && isatty(STDERR_FILENO) != 0), steps_(std::max<std::size_t>(1, steps)) {}

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
  fmt::print(stderr, "[{:3.0f} %] {:.0f} s left  {:.60}", 100 * share, left_s, doing);
  std::fflush(stderr);
}

void progress_line::erase() const {
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace ithaca::bench
