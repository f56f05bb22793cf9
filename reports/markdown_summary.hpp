#pragma once

#include <string>

#include "reports/report.hpp"

namespace ithaca::reports {

/// A report in GitHub's Markdown, for a pull request: the verdict, the run's state, and the best
/// arm of each scenario, about 60 lines at most; the other scenarios, and every arm beside the
/// reference, in details that are folded.
std::string markdown_summary(const report& of);

}  // namespace ithaca::reports
