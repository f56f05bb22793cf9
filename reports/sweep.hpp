#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/report.hpp"
#include "reports/verdict.hpp"

namespace ithaca::reports {

/// The measured cells of one element type, degree, mode and schedule, over all shapes; in the
/// report's order. Never empty.
using sweep = std::vector<const cell*>;

std::vector<sweep> sweeps(const report& of);

/// The different shapes, in the order of the cells.
std::vector<std::string> shapes_of(const sweep& cells);

/// The bytes that one rank sends to each peer in one exchange, by what the cell says of goodput and
/// time (goodput counts what leaves a rank); empty for cells without.
std::optional<double> bytes_a_peer(const cell& of);

/// An arm to choose from one size to another: at each shape between them it is the quickest that
/// competes, or can't be told from it. Its name is empty where none competes.
struct choice_range {
  std::string arm;
  std::string first_shape;
  std::string last_shape;
  bool operator==(const choice_range&) const = default;
};

/// As few such ranges as there can be, one after the other, over `shapes` in that order. `judged`:
/// the report's verdicts.
std::vector<choice_range> choice_ranges(const sweep& cells, std::span<const std::string> shapes,
                                        std::span<const verdict> judged);

}  // namespace ithaca::reports
