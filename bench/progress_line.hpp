#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace ithaca::bench {

/// One line on standard error that says how far a run is and how long it still takes. Only on a
/// terminal, and only on the rank that speaks; otherwise silent.
class progress_line {
 public:
  progress_line(bool speaks, std::size_t steps);
  ~progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void advance(const std::string& doing);

 private:
  void erase() const;

  bool shown_;
  std::size_t steps_;
  std::size_t done_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace ithaca::bench
