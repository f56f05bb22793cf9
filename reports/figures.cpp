#include "reports/figures.hpp"

#include <fmt/format.h>

namespace ithaca::reports {

std::string compact(double value) {
  if (value >= 1e7) return fmt::format("{:.3g}", value);
  return fmt::format("{:.{}f}", value, value >= 1000 ? 0 : value >= 100 ? 1 : 2);
}

const metric* find_metric(const cell& of, const std::string& name) {
  const auto found = of.metrics.find(name);
  return found == of.metrics.end() ? nullptr : &found->second;
}

std::string figure(const cell& of, const std::string& name, double scale) {
  const metric* found = find_metric(of, name);
  return found != nullptr ? compact(found->value * scale) : "-";
}

}  // namespace ithaca::reports
