#pragma once

#include <map>
#include <optional>
#include <string>

#include "reports/cell_key.hpp"
#include "reports/cell_status.hpp"
#include "reports/checked_bytes.hpp"
#include "reports/json.hpp"
#include "reports/metric.hpp"
#include "reports/operation_counts.hpp"
#include "reports/overlap_figures.hpp"
#include "reports/sample_matrix.hpp"

namespace ithaca::reports {

/// One arm in one scenario: what was measured, or why nothing was.
///
/// A measured cell has samples, metrics and no reason, any other a reason and no metrics. Skipped
/// and refuted cells have no samples either: no number may stand under a refuted name. An
/// incomplete cell keeps the samples that it has. Where there may be samples, a stage's cell may
/// have what overlapped.
struct cell {
  cell_key key;
  cell_status status = cell_status::incomplete;
  std::optional<std::string> reason = std::nullopt;
  /// Which of its ways an arm that has several took, and why: "push-exchange: no more than ...".
  std::optional<std::string> way = std::nullopt;
  sample_matrix samples = {};
  std::map<std::string, metric> metrics = {};
  operation_counts counts = {};
  checked_bytes checked = {};
  std::optional<overlap_figures> overlap = std::nullopt;  ///< of a stage, in the traced pass
  bool operator==(const cell&) const = default;

  /// Turns it into a refuted cell: samples, metrics and overlap are dropped, counts stay as the
  /// evidence.
  void refute(std::string why);
};

/// Throws `std::invalid_argument`, naming the cell, if the cell breaks the rules above.
json to_json(const cell& from);
/// Throws `std::invalid_argument`, naming `place`, for what is no cell.
cell cell_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
