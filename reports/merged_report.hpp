#pragma once

#include <span>
#include <string>

#include "reports/report.hpp"

namespace ithaca::reports {

/// A report and what people call it: its file.
struct named_report {
  std::string name;
  reports::report report;
};

/// One report of several launches of the same run: each cell's samples are those of the launches,
/// behind each other in the order given, and its metrics are computed from them with the launch as
/// a factor of its own (`reports/statistics.hpp`).
///
/// Cells are matched by their keys. One that a launch lacks, or did not measure where others did,
/// or whose exact counts or way differ, is incomplete and says which launch; one that a launch
/// refuted is refuted. Rounds are discarded launch by launch (`settle_throttling`), also of reports
/// from before that was decided. Ceilings are the medians of the launches; what is measured once a
/// launch (preparation, first exchange, submission) is the median, too; memory the most of any; the
/// traced pass and the kernels' rates are the first launch's.
///
/// Throws `std::invalid_argument`, naming both files and the place, for reports that can't be
/// merged: fewer than two, a launch given twice, a merged report among them, another machine,
/// driver or NCCL, program, command, ranks, reference arm or arguments (but the seed and where the
/// report goes).
report merged_report(std::span<const named_report> launches);

}  // namespace ithaca::reports
