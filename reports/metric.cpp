#include "reports/metric.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

double finite(double value) {
  if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("a metric is {}", value));
  return value;
}

}  // namespace

json to_json(const metric& from) {
  json to = {{"value", finite(from.value)}, {"unit", from.unit}};
  if (from.ci95) to["ci95"] = {finite(from.ci95->low), finite(from.ci95->high)};
  return to;
}

metric metric_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  metric to{reader.number("value"), reader.text("unit")};
  if (const json* ci95 = reader.find("ci95")) {
    const std::string inner = reader.place_of("ci95");
    if (!ci95->is_array() || ci95->size() != 2) refuse(inner, "is no pair [low, high]");
    to.ci95 = interval{as_number((*ci95)[0], inner + "[0]"), as_number((*ci95)[1], inner + "[1]")};
    if (to.ci95->low > to.ci95->high) refuse(inner, "ends before it begins");
  }
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
