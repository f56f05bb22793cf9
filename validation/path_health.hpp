#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "backend/peer_probe.hpp"

namespace ithaca::validation {

/// What is known of the path from one rank to another of its host, by world rank.
struct path_health {
  int source = 0;
  int target = 0;
  std::string link = {};  ///< what joins them; "host": memory of one host
  /// What was tried with memory shared by descriptor, and by handle; empty: it can't be shared so.
  std::optional<probed_pair> by_descriptor = std::nullopt;
  std::optional<probed_pair> by_handle = std::nullopt;
  std::optional<double> ceiling_gbps = std::nullopt;  ///< empty: not measured
  std::optional<double> handshake_us = std::nullopt;  ///< of the two ranks; likewise

  /// Every reason for which it fails, in words; none if it is healthy. Where memory can be shared
  /// in one way only, the other is no failure.
  std::vector<std::string> failures() const;
};

/// Whether there are paths, and none of them fails.
bool healthy(const std::vector<path_health>& paths);

/// A row a path, then a line for each failure, then the verdict.
std::string to_table(const std::vector<path_health>& paths);

nlohmann::json to_json(const path_health& from);

/// What of a path its source alone knows (not the times), as text for another rank, and back.
std::string findings_to_text(const std::vector<path_health>& paths);
std::vector<path_health> findings_from_text(const std::string& text);

}  // namespace ithaca::validation
