#include "reports/gate/expectation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "reports/object_reader.hpp"
#include "reports/sensitivity.hpp"

namespace ithaca::reports::gate {
namespace {

double error_or_more(object_reader& reader, const std::string& field) {
  const double value = reader.number(field);
  if (!(value >= 0)) refuse(reader.place_of(field), "is negative");
  return value;
}

}  // namespace

double degrees_of_freedom(const expectation& of) {
  return static_cast<double>(of.launches.size()) * (of.rounds - 1);
}

bool is_too_noisy(const expectation& of) { return of.margin > largest_margin; }

json to_json(const expectation& from) {
  return {{"value", from.value},
          {"launches", from.launches},
          {"rounds", from.rounds},
          {"round_error", from.round_error},
          {"launch_error", from.launch_error},
          {"margin", from.margin},
          {"detectable_slowdown", from.detectable_slowdown}};
}

expectation expectation_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  expectation to;
  to.value = reader.positive("value");
  const json& launches = reader.array("launches");
  for (std::size_t at = 0; at < launches.size(); ++at) {
    to.launches.push_back(
        as_number(launches[at], fmt::format("{}[{}]", reader.place_of("launches"), at)));
  }
  if (to.launches.size() < fewest_launches) {
    refuse(reader.place_of("launches"), fmt::format("has fewer than {}", fewest_launches));
  }
  to.rounds = reader.small_count("rounds");
  if (to.rounds < 2) refuse(reader.place_of("rounds"), "is less than 2");
  to.round_error = error_or_more(reader, "round_error");
  to.launch_error = error_or_more(reader, "launch_error");
  to.margin = reader.positive("margin");
  to.detectable_slowdown = reader.positive("detectable_slowdown");
  reader.finish();
  return to;
}

}  // namespace ithaca::reports::gate
