#pragma once

#include <string>
#include <vector>

namespace ithaca::bench {

/// The schedules that `ithaca-bench tune` tries: every schedule as it is, those that can write the
/// own chunk where it belongs so, too, and pieces in several numbers and proportions, of K alone
/// and of more. What is small enough to be tried whole needs no cleverer search.
std::vector<std::string> search_grid();

}  // namespace ithaca::bench
