#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "traces/stage_overlap.hpp"
#include "traces/stage_window.hpp"
#include "traces/timeline_record.hpp"

namespace ithaca::traces {

/// The tag of what carries several tensors at once and has no tag of its own.
inline constexpr std::string_view grouped_tag = "grouped";

/// What one run of a stage overlapped on the rank of `window`; empty if the device did no work for
/// it.
///
/// Of the records whose operation lies in the window, computation is every kernel and memset
/// outside an exchange, named as it was submitted (a library's kernel has a name of its own);
/// communication is every copy, kernel and memset inside one. Signals take no time, whatever their
/// records say: neither stream-memory operations nor copies of up to eight bytes count. Nor do
/// submits, ranges and what the device kept no record of.
///
/// `records` may hold those of the group's other ranks, on the same clock. What these send to this
/// rank in the same exchanges moves the end of the stage, nothing else: the consumer waits for it.
///
/// Throws `std::invalid_argument` for a window without a first operation or that ends before it
/// begins, and for a record that ends before it starts.
std::optional<stage_overlap> overlap_of(std::span<const timeline_record> records,
                                        const stage_window& window);

/// Of one run's ranks the one that waits longest: the consumer's next exchange waits for it. The
/// first of equals. Throws `std::invalid_argument` without any.
const stage_overlap& most_exposed(std::span<const stage_overlap> ranks);

/// Of several runs of a stage the one in the middle by exposed time; of an even number the longer
/// of the two in the middle. A run and no sum or mean of runs: its figures belong together, its
/// windows can be drawn, and a run that was interrupted does not count. To be taken over the most
/// exposed ranks of the runs, as a sample is the slowest rank's time of one iteration. Throws
/// `std::invalid_argument` without any.
const stage_overlap& median_run(std::span<const stage_overlap> runs);

}  // namespace ithaca::traces
