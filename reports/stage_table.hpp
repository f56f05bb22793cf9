#pragma once

#include <string>

#include "reports/report.hpp"

namespace ithaca::reports {

/// A report of stages for a terminal, at most 160 columns wide: for each scenario (command, shape,
/// dtype, degree) a line for each measured cell, quickest first, its parts alone among them
/// ("compute only", "nccl alone"); each arm's best schedule; what both parts lose by each other;
/// and a sentence for each other cell. "exposed", "hidden %" and "V by norm" are of the traced
/// pass; the last is how long V's copies ran beside QK norm + RoPE. Where V moves in parts, theirs
/// are added up.
std::string stage_table(const report& of);

}  // namespace ithaca::reports
