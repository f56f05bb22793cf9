#pragma once

#include <string>

#include "traces/opened_trace.hpp"

namespace ithaca::traces {

/// The trace in a file, packed by gzip or not. Throws `std::invalid_argument`, a sentence that
/// begins with the file's name, for what is none.
opened_trace open_trace_file(const std::string& file);

}  // namespace ithaca::traces
