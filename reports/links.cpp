#include "reports/links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

pair_ceiling ceiling_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  pair_ceiling to{reader.small_count("source"), reader.small_count("target"),
                  reader.positive("ceiling_gbps")};
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
  if (!reader.at("handshake_us").is_null()) to.handshake_us = reader.positive("handshake_us");
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
