#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "traces/name_table.hpp"

namespace ithaca::traces {

/// A slice or an instant of a trace. Texts are numbers in the trace's table of names.
struct trace_slice {
  std::uint32_t process = 0;  ///< index in the trace's processes
  std::uint32_t row = 0;      ///< the thread's name, without the number of a lane
  std::uint32_t name = 0;
  std::uint32_t kind = 0;  ///< "cat"
  std::uint32_t scope = 0;
  std::uint32_t tag = 0;
  std::uint32_t engine = 0;
  int peer = -1;
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t bytes = 0;
  std::uint64_t exchange = 0;
  bool instant = false;
};

struct trace_process {
  std::uint32_t pid = 0;
  std::string name;  ///< "pid 7" where none was given; no two are alike
};

/// What a trace holds, as its viewers see it.
struct opened_trace {
  name_table names;
  std::vector<trace_process> processes;  ///< by rising pid
  std::vector<trace_slice> slices;       ///< instants among them, as they stand in the file
  std::uint64_t arrows = 0;              ///< of which both ends are there
  nlohmann::json other_data;             ///< null if there is none
};

/// Takes up a Chrome JSON trace. What `write_chrome_trace` says in `args` is understood; other
/// arguments are left out. Throws `std::invalid_argument` for a text that is no trace, and for an
/// event whose phase, ids, times or arguments can't be understood, with its place.
opened_trace open_trace(std::string_view text);

}  // namespace ithaca::traces
