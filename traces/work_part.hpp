#pragma once

#include "traces/timeline_record.hpp"

namespace ithaca::traces {

/// What a record is of a stage; none of it: signals, submits, ranges, and what the device kept no
/// record of.
enum class work_part { none, computation, to_peers, within_rank };
work_part part_of(const timeline_record& record);

}  // namespace ithaca::traces
