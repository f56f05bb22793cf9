#pragma once

#include <span>
#include <vector>

#include "traces/cupti/raw_activity.hpp"
#include "traces/enqueued_operation.hpp"
#include "traces/timeline_record.hpp"

namespace ithaca::traces {

/// The timeline of `rank`, by start, from what CUPTI recorded and what was enqueued.
///
/// An activity inherits row, tag, peer, exchange and scope of the operation around its launch (a
/// library's operation can have several); without one it lies outside any exchange, on a row named
/// after CUPTI's stream id. A copy is a peer copy if its operation's peer is another rank, or if
/// CUPTI saw two devices. A kernel stays a kernel whatever the operation was. Each operation also
/// gives a submit record, and an enqueued-only one if it has no activity.
///
/// Throws `std::invalid_argument` if an operation id is 0 or occurs twice, `std::runtime_error` for
/// an activity without times: the traced pass is invalid.
std::vector<timeline_record> from_activities(std::span<const raw_activity> activities,
                                             std::span<const enqueued_operation> operations,
                                             int rank);

}  // namespace ithaca::traces
