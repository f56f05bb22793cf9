#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "traces/stage_overlap.hpp"
#include "traces/timeline_record.hpp"

namespace ithaca::traces {

inline constexpr std::string_view stage_row = "stage";
inline constexpr std::string_view overlap_row = "overlap";
inline constexpr std::string_view computation_name = "computation";

/// A run of a stage as two rows of its rank in a trace, of ranges in `scope`: the row "stage" is
/// "computation" and "exposed" from one end of the stage to the other; the row "overlap" has a
/// slice for each window of a tag beside a computation, "v beside norm_rope_kernel".
std::vector<timeline_record> overlap_rows(const stage_overlap& of, const std::string& scope);

}  // namespace ithaca::traces
