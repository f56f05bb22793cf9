#pragma once

#include <span>

#include "reports/merged_report.hpp"

namespace ithaca::reports {

/// The launches' telemetry behind each other, of the first one's scenarios: rounds are numbered on,
/// as those of the merged samples. Throttling is settled where a launch's report does not say that
/// it was.
telemetry merged_telemetry(std::span<const named_report> launches);

}  // namespace ithaca::reports
