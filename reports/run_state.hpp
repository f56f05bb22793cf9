#pragma once

#include <string>
#include <vector>

#include "reports/report.hpp"
#include "reports/verdict.hpp"

namespace ithaca::reports {

/// How much a reader must heed.
enum class heed { good, plain, caution, bad };

/// "good", "plain", "caution", "bad".
std::string to_string(heed of);

struct state_line {
  heed weight = heed::plain;
  std::string sentence;
  bool operator==(const state_line&) const = default;
};

/// What a reader must know of a run before believing its numbers, in sentences: of what device the
/// times are, whether the run came to its end, what was refuted or skipped, whether GPUs held their
/// clocks down or never came to steady ones, and where equal arms differ. `judged`: the report's
/// verdicts.
std::vector<state_line> run_state(const report& of, const std::vector<verdict>& judged);

}  // namespace ithaca::reports
