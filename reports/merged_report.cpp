#include "reports/merged_report.hpp"

#include <stdexcept>

namespace ithaca::reports {

report merged_report(std::span<const named_report> launches) {
  if (launches.size() < 2) {
    throw std::invalid_argument("one report can't be merged: give those of at least two launches");
  }
  throw std::invalid_argument("reports can't be merged yet");
}

}  // namespace ithaca::reports
