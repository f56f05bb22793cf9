#pragma once

#include <cstdint>
#include <vector>

namespace ithaca::traces {

/// Spreads the slices of one row over lanes, so that on each lane any two of them are apart or one
/// lies inside the other: viewers drop slices that overlap partly.
class lanes {
 public:
  /// The lane, from 0, of the next slice. Slices come by rising start, longer ones first.
  std::uint32_t place(std::int64_t start_ns, std::int64_t end_ns);
  /// Lanes in use.
  std::uint32_t count() const { return static_cast<std::uint32_t>(open_ends_.size()); }

 private:
  std::vector<std::vector<std::int64_t>>
      open_ends_;  ///< by lane: ends of open slices, innermost last
};

}  // namespace ithaca::traces
