#pragma once

#include <cstdio>
#include <cstdlib>

namespace ithaca::validation {

/// Ends the process, which makes the input a finding, unless `holds`.
inline void demand(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: not so: %s\n", what);
  std::abort();
}

}  // namespace ithaca::validation
