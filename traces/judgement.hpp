#pragma once

#include <span>
#include <string>
#include <vector>

#include "traces/claim.hpp"
#include "traces/observation.hpp"
#include "traces/timeline_record.hpp"

namespace ithaca::traces {

/// Whether a rank did what its arm claims.
struct judgement {
  bool holds = false;
  std::vector<std::string> reasons;  ///< sentences, expected against seen; empty if it holds
  observation observed;
};

/// Compares `records` of one rank, which hold `exchanges` exchanges, with what `said` says of one.
/// Only records inside an exchange count. Throws `std::invalid_argument` unless `exchanges` > 0:
/// nothing seen proves nothing.
judgement judge(const claim& said, std::span<const timeline_record> records, int exchanges);

}  // namespace ithaca::traces
