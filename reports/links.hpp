#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/json.hpp"

namespace ithaca::reports {

/// The rate of one contiguous peer copy from one rank to another (256 MB or more on GPUs).
struct pair_ceiling {
  int source = 0;
  int target = 0;
  double ceiling_gbps = 0;  ///< 1e9 bytes a second
  bool operator==(const pair_ceiling&) const = default;
};

/// What the paths between ranks of one host can do, measured in the same run. Pairs of different
/// hosts are not among the ceilings.
struct links {
  std::vector<pair_ceiling> ceilings = {};
  /// A signal written into each peer of the host and theirs awaited; of several hosts the
  /// slowest's. Empty if not measured.
  std::optional<double> handshake_us = std::nullopt;
  bool operator==(const links&) const = default;
};

/// The slowest ordered pair's ceiling; empty if none was measured.
std::optional<double> slowest_gbps(const links& of);

json to_json(const links& from);
/// Throws `std::invalid_argument`, naming `place`, for what are no links.
links links_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
