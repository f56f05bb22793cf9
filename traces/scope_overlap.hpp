#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "traces/opened_trace.hpp"
#include "traces/stage_overlap.hpp"

namespace ithaca::traces {

/// What overlapped in the runs of one stage that a trace holds, under one scope.
struct scope_overlap {
  std::string scope;
  std::vector<std::string> processes;  ///< their names, by the rank of the overlaps
  /// By run, then by process. The rank is the process's place in the trace.
  std::vector<std::vector<stage_overlap>> runs;

  /// The run in the middle, on the process that waited longest: what a report tells.
  const stage_overlap& told() const;
};

/// The stages of a trace, by scope. The row "stage" says when each began, computed and ended; what
/// of an exchange lies within that time is its communication.
std::vector<scope_overlap> scope_overlaps(const opened_trace& trace);

void to_json(nlohmann::json& to, const scope_overlap& from);

}  // namespace ithaca::traces
