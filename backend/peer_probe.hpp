#pragma once

#include <string>
#include <vector>

#include "backend/device.hpp"
#include "backend/group.hpp"

namespace ithaca {

/// What one rank can do with another's memory. Each text is empty if it works, else the reason in
/// words.
struct probed_pair {
  int source = 0;  ///< group rank of the writer
  int target = 0;  ///< group rank of the owner
  std::string mapping = {};
  std::string copy = {};          ///< bytes copied there, and read by their owner
  std::string stream_write = {};  ///< a signal by stream-memory write
  std::string staged_copy = {};   ///< a signal by a copy out of a local slot
};

/// Every ordered pair of different ranks, by source and then target; the same on every rank.
struct probed_peers {
  std::vector<probed_pair> pairs;

  /// Empty if it works on every pair, else the first that fails: "from rank 0 to rank 1: ...".
  std::string why_not(std::string probed_pair::*what) const;
};

/// Tries what exchanges rely on, with memory shared in this way: every rank writes into every other
/// one's memory, and each reads what has come into its own. A path that the system reports need
/// not work: it may refuse the mapping, or lose what is written. A few KiB a pair, once. A device
/// that moves no bytes has none to lose.
/// Collective. Throws `not_eligible` on every rank alike if any of them has no memory to share.
probed_peers probe_peers(group& among, device& on, memory_sharing how);

}  // namespace ithaca
