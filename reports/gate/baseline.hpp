#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/cell_key.hpp"
#include "reports/gate/exact_counts.hpp"
#include "reports/gate/fitting.hpp"
#include "reports/json.hpp"
#include "reports/machine_class.hpp"

namespace ithaca::reports::gate {

/// The version of the format that this program writes, and the only one that it reads.
inline constexpr std::int64_t baseline_version = 1;

/// A launch that a baseline was derived from.
struct baseline_launch {
  std::string file;  ///< with the folder that it lay in
  std::string git_revision;
  std::string started_at;
  std::uint64_t seed = 0;
  std::string content;  ///< `content_id` of the report
  bool operator==(const baseline_launch&) const = default;
};

/// What is expected of one cell. One that was skipped has no counts, and is expected to be skipped.
struct baseline_cell {
  cell_key key;
  bool is_measured = true;
  exact_counts counts = {};
  std::map<std::string, expectation> metrics = {};  ///< none of host and simulated cells
  bool operator==(const baseline_cell&) const = default;
};

/// What a gate holds a run against. `reports/schema/baseline.schema.json` describes its JSON.
struct baseline {
  machine_class machine;
  std::string command;
  std::optional<std::string> reference_arm = std::nullopt;
  std::optional<std::string> noise_floor_arm = std::nullopt;
  margins declared_margins = {};
  std::vector<baseline_launch> launches = {};
  std::vector<baseline_cell> cells = {};
  bool operator==(const baseline&) const = default;
};

/// How many ratios it expects; times not counted.
std::size_t ratio_count(const baseline& of);
/// How many metrics of any kind.
std::size_t metric_count(const baseline& of);

json to_json(const baseline& from);
/// Throws `std::invalid_argument`, naming the place, for what is no baseline, is of another
/// version, or has a cell or a launch twice.
baseline baseline_from_json(const json& from);

}  // namespace ithaca::reports::gate
