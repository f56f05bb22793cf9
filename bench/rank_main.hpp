#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/group.hpp"
#include "bench/rank_watch.hpp"

namespace ithaca::bench {

/// What a program does on one rank: its exit code. May throw what exchangers throw.
using rank_program = std::function<int(group& world)>;

/// Runs `program` on this rank, all ranks having been given the same `arguments`; `words` becomes
/// the watch of `world`. What all ranks find wrong alike is said once, by rank 0, and ends in exit
/// code 2; a broken exchange is said by every rank that sees it, and ends the process with exit
/// code 3 at once, since neither peers nor streams may ever come to rest.
int run_rank(const std::shared_ptr<rank_watch>& words, group& world,
             const std::vector<std::string>& arguments, const rank_program& program);

}  // namespace ithaca::bench
