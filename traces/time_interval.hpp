#pragma once

#include <cstdint>

namespace ithaca::traces {

/// From `start_ns` on, up to but not including `end_ns`.
struct time_interval {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  bool operator==(const time_interval&) const = default;
};

inline std::int64_t length_ns(const time_interval& of) { return of.end_ns - of.start_ns; }

}  // namespace ithaca::traces
