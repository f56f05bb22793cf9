#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "traces/interval_set.hpp"
#include "traces/tag_overlap.hpp"
#include "traces/time_interval.hpp"

namespace ithaca::traces {

/// When one rank computed and communicated in one run of a stage.
struct stage_overlap {
  int rank = 0;  ///< global rank
  /// From the first start of a computation or communication of the rank, to the last end of one, or
  /// of what its peers sent it.
  time_interval stage;
  interval_set computation;
  interval_set to_peers;  ///< copies to peers, and a library's kernels, which wait for peers, too
  interval_set within_rank;  ///< own chunk, pack, relayout
  /// SMs times nanoseconds that the kernels of the exchanges held; empty where not known. Local
  /// copies that the driver makes on SMs are not among them: on how many is not told.
  std::optional<std::int64_t> held_sm_ns;
  /// By tag; `grouped_tag` for what carries several tensors at once.
  std::map<std::string, tag_overlap> tags;

  interval_set communication() const { return union_of(to_peers, within_rank); }
  /// Communication beside computation.
  interval_set hidden() const { return intersection_of(communication(), computation); }
  /// The stage but for its computation: what the consumer waits for more than for the computation.
  /// It is the time from the last computation to the end, and every gap before: those in which a
  /// computation waits for an exchange, and those between two launches. The latter are in a stage
  /// without an exchange, too: its exposed time says how long they are.
  interval_set exposed() const;
};

}  // namespace ithaca::traces
