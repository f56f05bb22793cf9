#pragma once

#include <string>
#include <vector>

#include "reports/report.hpp"
#include "reports/verdict.hpp"

namespace ithaca::reports {

/// "wan2.1-14b-720p bf16 U2 pipelined"; of stages without a mode, of interference with the
/// computation.
std::string scenario_name(const verdict& of);

/// "copy-engine"; of a stage "copy-engine by v-first", of its parts "computation only by v-first"
/// and "copy-engine alone by v-first".
std::string choice_name(const cell& of);

/// What the verdict is, in a sentence: "1.94 [1.94, 1.95] times as quick as nccl, outside of the
/// noise (0.997 to 1.003)." or why nothing is decided.
std::string sentence(const verdict& of, const run_record& run);

/// What stands beside the ratio and the noise where a table has those: why nothing is decided, and
/// what can't be told from the best. Empty where there is nothing to add.
std::string note(const verdict& of);

/// Which arms are the quickest, or can't be told from it, in how many scenarios; and in how many
/// that is decided.
std::string headline(const std::vector<verdict>& judged, const run_record& run);

}  // namespace ithaca::reports
