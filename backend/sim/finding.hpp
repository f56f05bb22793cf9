#pragma once

#include <string>

namespace ithaca::sim {

enum class finding_kind {
  conflict,     ///< two accesses in no order, one of them a write
  lost_memory,  ///< memory given up while it is used, or used afterwards, or never mapped
  deadlock,     ///< programs that have not ended, and nothing that can run
};

/// What is wrong with a program, seen in one of its schedules: `story` says it in a few lines.
struct finding {
  finding_kind kind = finding_kind::conflict;
  std::string story;
};

}  // namespace ithaca::sim
