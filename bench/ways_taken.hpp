#pragma once

#include <string>
#include <vector>

namespace ithaca::bench {

/// What the groups of one degree took, in one text: once if all took the same, else with the world
/// ranks of those that did: "ranks 0, 2: copy-engine: the first choice | ranks 1, 3: mpi: ...".
/// `of_ranks`: each rank's, by world rank.
std::string ways_taken(const std::vector<std::string>& of_ranks);

}  // namespace ithaca::bench
