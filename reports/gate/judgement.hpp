#pragma once

#include "reports/gate/baseline.hpp"
#include "reports/gate/verdict.hpp"
#include "reports/merged_report.hpp"

namespace ithaca::reports::gate {

/// What to compare beside what is always compared.
struct judging {
  bool absolute = false;  ///< times, too
};

/// Holds a run (of one launch, or several merged ones) against a baseline, called `file`.
///
/// Compared are the exact counts of every cell, and on GPUs the ratios between arms of the same
/// rounds. Invalid is: another machine, command, reference or A/A arm, a run that is not complete,
/// a cell that is missing, extra, refuted, incomplete or skipped where it was measured, a metric
/// that is missing or extra, an A/A comparison outside its band, and nothing to compare.
result judge(const baseline& against, const std::string& file, const named_report& run,
             judging what = {});

}  // namespace ithaca::reports::gate
