#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/json.hpp"

namespace ithaca::reports {

/// How a run was started, and how far it came.
struct run_record {
  std::string command;  ///< e.g. "scatter"
  std::vector<std::string> arguments = {};
  std::uint64_t seed = 0;
  std::string git_revision;  ///< "unknown" outside a checkout
  std::string started_at;    ///< as `utc_text` writes it
  bool complete = false;     ///< false while it runs, and for good if it broke off
  int ranks = 0;
  /// The arm that speedups refer to.
  std::optional<std::string> reference_arm = std::nullopt;
  /// The arm that is the reference run a second time under another name (A/A).
  std::optional<std::string> noise_floor_arm = std::nullopt;
  /// What a reader must know before believing a time; see `note_on_times`.
  std::optional<std::string> note = std::nullopt;
  bool operator==(const run_record&) const = default;
};

/// A time in ISO 8601, UTC, whole seconds: "2026-08-06T09:30:00Z".
std::string utc_text(std::chrono::system_clock::time_point time);
bool is_utc_text(std::string_view text);

/// The sentence that marks times of the host and simulated devices; empty for "cuda".
std::optional<std::string> note_on_times(std::string_view device);

json to_json(const run_record& from);
/// Throws `std::invalid_argument`, naming `place`, for what is no run.
run_record run_record_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
