#pragma once

#include <optional>
#include <vector>

#include "backend/device.hpp"
#include "backend/group.hpp"
#include "backend/peer_memory.hpp"
#include "backend/peer_probe.hpp"
#include "bench/host_site.hpp"
#include "bench/start_gate.hpp"
#include "reports/links.hpp"

namespace ithaca::bench {

/// The handshake of two ranks, by world rank.
struct pair_handshake {
  int source = 0;
  int target = 0;
  double us = 0;
};

/// Measures what the paths between the ranks of each host can do; no pair of different hosts is
/// measured, nor one whose path was tried and does not work. Every call is collective over the
/// world and returns the same on every rank, ranks numbered as in the world.
class link_probe {
 public:
  /// Collective: tries all paths. All outlive the probe.
  link_probe(group& world, host_site& host, device& on, start_gate& gate);

  /// What was found of this rank's host, by rank of `host`; none where no memory can be shared.
  const probed_peers& paths() const { return paths_; }

  /// The ceiling of every ordered pair, one pair of a host at a time: contiguous copies, the median
  /// of several.
  std::vector<reports::pair_ceiling> ceilings();
  /// All ranks of a host write an epoch to every other and await theirs, many times back to back;
  /// of several hosts the slowest's. Empty where a path fails, or no host has two ranks.
  std::optional<double> handshake_us();
  /// The same between two ranks at a time, once a pair.
  std::vector<pair_handshake> pair_handshakes();

 private:
  /// Whether two ranks of this host can signal each other.
  bool signals(int one, int other) const;
  std::vector<std::string> unreachable(std::string probed_pair::*what) const;
  std::optional<double> handshake_us(const std::vector<int>& partners);

  group& world_;
  host_site& host_;
  device& device_;
  start_gate& gate_;
  probed_peers paths_;
  std::optional<peer_memory> words_;  // empty: no memory can be shared
  std::uint64_t epoch_ = 0;
};

/// Ceilings and the handshake of all, for a report. Collective.
reports::links probe_links(group& world, host_site& host, device& on, start_gate& gate);

}  // namespace ithaca::bench
