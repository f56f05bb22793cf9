#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

namespace ithaca::traces {

/// One of the traces to merge.
struct named_trace {
  std::string name;       ///< what its processes and scopes are called by, e.g. the file
  std::string_view text;  ///< a Chrome JSON trace
};

/// What places the traces beside each other.
enum class merge_clock {
  starts,  ///< each begins at 0: for runs that are compared
  base  ///< by "otherData.base_ns", which must be of one clock: traces of one host since it booted
};

/// Writes several traces as one, side by side: process 0 of each, then process 1 of each, and so
/// on, as "<name>: rank 0"; scopes get the same "<name>: ". Processes, threads and arrows get new
/// numbers, which no two share.
///
/// Throws `std::invalid_argument` that begins with a trace's name for one that can't be understood,
/// or that has no base where the clock needs it, and `std::runtime_error` if `out` fails.
void merge_traces(std::ostream& out, std::span<const named_trace> traces, merge_clock clock);

}  // namespace ithaca::traces
