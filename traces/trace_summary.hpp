#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "traces/claim.hpp"
#include "traces/opened_trace.hpp"
#include "traces/scope_overlap.hpp"

namespace ithaca::traces {

/// A row of a process, its lanes together.
struct row_summary {
  std::uint64_t slices = 0;
  std::uint64_t instants = 0;
  std::int64_t total_ns = 0;  ///< the slices' durations, one after the other
  std::int64_t busy_ns = 0;   ///< while any slice is open
};

struct process_summary {
  std::string name;
  std::map<std::string, row_summary> rows;
  /// Copies by kind and engine: "peer_copy, copy_engine".
  std::map<std::string, copy_totals> copies;
};

/// What a trace holds, in figures.
struct trace_summary {
  std::vector<process_summary> processes;
  std::uint64_t slices = 0;
  std::uint64_t instants = 0;
  std::uint64_t arrows = 0;
  std::int64_t length_ns = 0;  ///< from the first start to the last end
  std::vector<scope_overlap> overlaps;
};

trace_summary summarize(const opened_trace& trace);

void to_json(nlohmann::json& to, const trace_summary& from);

}  // namespace ithaca::traces
