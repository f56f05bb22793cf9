#include "reports/links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

double positive(double value, const std::string& place) {
  if (!(value > 0)) refuse(place, "is not positive");
  return value;
}

pair_ceiling ceiling_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  pair_ceiling to{reader.small_count("source"), reader.small_count("target"),
                  positive(reader.number("ceiling_gbps"), reader.place_of("ceiling_gbps"))};
  reader.finish();
  return to;
}

}  // namespace

std::optional<double> slowest_gbps(const links& of) {
  if (of.ceilings.empty()) return std::nullopt;
  return std::ranges::min(of.ceilings, {}, &pair_ceiling::ceiling_gbps).ceiling_gbps;
}

json to_json(const links& from) {
  json ceilings = json::array();
  for (const pair_ceiling& each : from.ceilings) {
    ceilings.push_back(
        {{"source", each.source}, {"target", each.target}, {"ceiling_gbps", each.ceiling_gbps}});
  }
  return {{"ceilings", ceilings},
          {"handshake_us", from.handshake_us ? json(*from.handshake_us) : json(nullptr)}};
}

links links_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  links to;
  const json& ceilings = reader.array("ceilings");
  for (std::size_t at = 0; at < ceilings.size(); ++at) {
    to.ceilings.push_back(
        ceiling_from_json(ceilings[at], fmt::format("{}[{}]", reader.place_of("ceilings"), at)));
  }
  const json& handshake = reader.at("handshake_us");
  if (!handshake.is_null()) {
    const std::string inner = reader.place_of("handshake_us");
    to.handshake_us = positive(as_number(handshake, inner), inner);
  }
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
