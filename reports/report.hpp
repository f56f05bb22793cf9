#pragma once

#include <cstdint>
#include <vector>

#include "reports/cell.hpp"
#include "reports/json.hpp"
#include "reports/kernel_rates.hpp"
#include "reports/links.hpp"
#include "reports/machine.hpp"
#include "reports/run_record.hpp"
#include "reports/telemetry.hpp"

namespace ithaca::reports {

/// The version of the format that this program writes, and the only one that it reads.
inline constexpr std::int64_t schema_version = 2;

/// Everything that one run leaves behind but its trace. `reports/schema/report.schema.json`
/// describes its JSON.
struct report {
  reports::machine machine;
  run_record run;
  reports::links links;
  std::vector<kernel_rate> kernels = {};  ///< empty: not measured, and not written
  reports::telemetry telemetry = {};
  std::vector<cell> cells = {};
  bool operator==(const report&) const = default;
};

/// Throws `std::invalid_argument` for a report that `report_from_json` would refuse.
json to_json(const report& from);
/// Throws `std::invalid_argument` with a sentence that names the place for missing and foreign
/// fields, wrong types, another schema version, and two cells with one key.
report report_from_json(const json& from);

}  // namespace ithaca::reports
