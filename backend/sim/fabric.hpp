#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "backend/sim/fabric_figures.hpp"
#include "backend/sim/fair_shares.hpp"

namespace ithaca::sim {

/// What one operation moves to one GPU (its own: within its memory).
struct fabric_part {
  int to = 0;
  std::uint64_t bytes = 0;
};

/// Bytes on their way, in virtual time: a fluid model of GPUs and their ports. Every GPU has a port
/// out and a port in, and a memory for what it copies to itself. Whatever moves shares the ports
/// that it passes fairly (`fair_shares`); shares are worked out anew whenever a part begins or
/// ends. Copy engines of one GPU that serve several peers at a time get less together
/// (`fabric_figures::lanes_gbps`).
///
/// Deterministic: what happens at the same time happens in the order in which it was begun. An end
/// is rounded up to the next nanosecond.
class fabric {
 public:
  using transfer_id = std::uint64_t;

  fabric(fabric_figures figures, int gpus);

  const fabric_figures& figures() const { return figures_; }
  std::int64_t now_ns() const { return now_ns_; }

  /// A copy engine's copy from `from`, whose first byte moves `latency_ns` from now.
  transfer_id copy(int from, fabric_part part, std::int64_t latency_ns);
  /// A kernel of `from` on `ctas` thread blocks that stores to all parts side by side. Parts to its
  /// own GPU are bound by the memory only.
  transfer_id push(int from, const std::vector<fabric_part>& parts, int ctas,
                   std::int64_t latency_ns);

  /// The next time at which something begins or ends, if nothing else is begun before; empty if
  /// nothing is on its way.
  std::optional<std::int64_t> next_ns() const;
  /// Moves time on to `to_ns`, which must not lie beyond `next_ns()` nor before now, and returns
  /// what has ended then.
  std::vector<transfer_id> advance(std::int64_t to_ns);

 private:
  struct flow {
    transfer_id transfer = 0;
    int from = 0;
    int to = 0;
    double kernel_gbps = 0;  // of the push that it is part of; 0: a copy engine's
    std::int64_t begins_ns = 0;
    double bytes_left = 0;
    bool moving = false;
    double rate = 0;
    std::int64_t ends_ns = 0;  // at this rate

    bool by_copy_engine() const { return kernel_gbps == 0; }
  };

  void begin_due();
  void share_anew();
  std::vector<double> capacities() const;
  /// Of what moves, in the order of `flows_`; adds a port for each push to `capacities`.
  std::vector<flow_path> paths(std::vector<double>& capacities) const;

  fabric_figures figures_;
  int gpus_;
  std::int64_t now_ns_ = 0;
  transfer_id last_transfer_ = 0;
  std::vector<flow> flows_;  // in the order in which they were begun
};

}  // namespace ithaca::sim
