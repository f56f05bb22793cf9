#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reports/cell_inputs.hpp"
#include "reports/estimate.hpp"
#include "reports/metric.hpp"

namespace ithaca::reports {

/// Which direction of a metric is an improvement.
enum class better { lower, higher, none };

/// One metric: how it is called and computed. Empty where its inputs are absent.
struct metric_row {
  std::string_view name;
  std::string_view unit;
  better direction;
  std::optional<estimate> (*function)(const cell_inputs& cell);
};

/// All metrics, in the order in which people read them. A new metric is a new row.
std::span<const metric_row> metric_table();

/// Every metric of the table whose inputs are there, by name.
/// Throws `std::invalid_argument` for a cell without samples, with a degree below 2, without
/// exchanges a sample, or whose reference or computation alone has other rounds.
std::map<std::string, metric> compute_metrics(const cell_inputs& cell);

}  // namespace ithaca::reports
