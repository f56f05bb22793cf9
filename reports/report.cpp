#include "reports/report.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <set>
#include <stdexcept>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

void check(const report& of) {
  if (of.machine.device != "cuda" && !of.run.note) {
    refuse("run.note",
           fmt::format("is missing: times of the {} device need it", of.machine.device));
  }
  std::set<cell_key> seen;
  for (std::size_t at = 0; at < of.cells.size(); ++at) {
    const cell_key& key = of.cells[at].key;
    const std::string place = fmt::format("cells[{}]", at);
    if (!seen.insert(key).second) {
      refuse(place, fmt::format("repeats the cell \"{}\"", to_string(key)));
    }
    if (key.device != of.machine.device) {
      refuse(place,
             fmt::format("is of the device {} in a report of {}", key.device, of.machine.device));
    }
  }
}

}  // namespace

json to_json(const report& from) {
  check(from);
  json cells = json::array();
  for (const cell& each : from.cells) cells.push_back(to_json(each));
  json to = {{"schema_version", schema_version},
             {"machine", to_json(from.machine)},
             {"run", to_json(from.run)},
             {"links", to_json(from.links)}};
  if (!from.kernels.empty()) to["kernels"] = to_json(from.kernels);
  to["telemetry"] = to_json(from.telemetry);
  to["cells"] = std::move(cells);
  return to;
}

report report_from_json(const json& from) {
  object_reader reader(from, "");
  const std::int64_t version = reader.integer("schema_version");
  if (version != schema_version) {
    refuse("schema_version",
           fmt::format("is {}, and this program reads {}: read the report with the program that "
                       "wrote it, or measure again with this one",
                       version, schema_version));
  }
  report to;
  to.machine = machine_from_json(reader.at("machine"), "machine");
  to.run = run_record_from_json(reader.at("run"), "run");
  to.links = links_from_json(reader.at("links"), "links");
  if (const json* kernels = reader.find("kernels")) {
    to.kernels = kernel_rates_from_json(*kernels, "kernels");
    if (to.kernels.empty()) refuse("kernels", "is empty");
  }
  to.telemetry = telemetry_from_json(reader.at("telemetry"), "telemetry");
  const json& cells = reader.array("cells");
  for (std::size_t at = 0; at < cells.size(); ++at) {
    to.cells.push_back(cell_from_json(cells[at], fmt::format("cells[{}]", at)));
  }
  reader.finish();
  check(to);
  return to;
}

}  // namespace ithaca::reports
