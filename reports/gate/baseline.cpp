#include "reports/gate/baseline.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <set>

#include "reports/object_reader.hpp"
#include "reports/sensitivity.hpp"

namespace ithaca::reports::gate {
namespace {

json launch_to_json(const baseline_launch& from) {
  return {{"file", from.file},
          {"git_revision", from.git_revision},
          {"started_at", from.started_at},
          {"seed", from.seed},
          {"content", from.content}};
}

baseline_launch launch_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  baseline_launch to{reader.text("file"), reader.text("git_revision"), reader.text("started_at"),
                     reader.count("seed"), reader.text("content")};
  reader.finish();
  return to;
}

json cell_to_json(const baseline_cell& from) {
  json to = json::object();
  write_fields(from.key, to);
  to["status"] = from.is_measured ? "measured" : "skipped";
  to["counts"] = json(from.counts);
  json& metrics = to["metrics"] = json::object();
  for (const auto& [name, each] : from.metrics) metrics[name] = to_json(each);
  return to;
}

baseline_cell cell_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  baseline_cell to;
  to.key = read_cell_key(reader);
  to.is_measured = reader.one_of("status", {"measured", "skipped"}) == "measured";
  const std::string counts = reader.place_of("counts");
  for (const auto& [name, value] : as_object(reader.at("counts"), counts).items()) {
    to.counts[name] = as_count(value, counts + "." + name);
  }
  const std::string metrics = reader.place_of("metrics");
  for (const auto& [name, value] : as_object(reader.at("metrics"), metrics).items()) {
    to.metrics[name] = expectation_from_json(value, metrics + "." + name);
  }
  reader.finish();
  if (!to.is_measured && !(to.counts.empty() && to.metrics.empty())) {
    refuse(place, "is skipped but has counts or metrics");
  }
  return to;
}

/// Names that this program does not gate would be green for ever.
void require_gated(const std::string& metric, const std::string& place) {
  try {
    gated_metric_of(metric);
  } catch (const std::invalid_argument& error) {
    refuse(place, std::string("is there, but ") + error.what());
  }
}

void check(const baseline& of) {
  std::set<cell_key> keys;
  for (std::size_t at = 0; at < of.cells.size(); ++at) {
    const baseline_cell& each = of.cells[at];
    const std::string place = fmt::format("cells[{}]", at);
    if (!keys.insert(each.key).second) {
      refuse(place, fmt::format("repeats the cell \"{}\"", to_string(each.key)));
    }
    if (each.key.device != of.machine.device) {
      refuse(place, fmt::format("is of the device {} in a baseline of {}", each.key.device,
                                of.machine.device));
    }
    for (const auto& [name, unused] : each.metrics) {
      require_gated(name, place + ".metrics." + name);
      if (of.machine.device != "cuda") {
        refuse(place + ".metrics",
               fmt::format("has times of the {} device, which say nothing", of.machine.device));
      }
    }
  }
  for (const auto& [name, unused] : of.declared_margins) {
    require_gated(name, "declared_margins." + name);
  }
  std::set<std::string> contents;
  for (std::size_t at = 0; at < of.launches.size(); ++at) {
    if (!contents.insert(of.launches[at].content).second) {
      refuse(fmt::format("launches[{}]", at), "is there twice");
    }
  }
  if (of.launches.size() < fewest_launches) {
    refuse("launches", fmt::format("has {}, fewer than {}", of.launches.size(), fewest_launches));
  }
  if (of.cells.empty()) refuse("cells", "is empty: there is nothing to compare with");
}

}  // namespace

std::size_t metric_count(const baseline& of) {
  std::size_t count = 0;
  for (const baseline_cell& each : of.cells) count += each.metrics.size();
  return count;
}

std::size_t ratio_count(const baseline& of) {
  std::size_t count = 0;
  for (const baseline_cell& each : of.cells) {
    for (const auto& [name, unused] : each.metrics) {
      if (!gated_metric_of(name).absolute) ++count;
    }
  }
  return count;
}

json to_json(const baseline& from) {
  check(from);
  json launches = json::array();
  for (const baseline_launch& each : from.launches) launches.push_back(launch_to_json(each));
  json cells = json::array();
  for (const baseline_cell& each : from.cells) cells.push_back(cell_to_json(each));
  return {{"baseline_version", baseline_version},
          {"machine", to_json(from.machine)},
          {"command", from.command},
          {"reference_arm", or_null(from.reference_arm)},
          {"noise_floor_arm", or_null(from.noise_floor_arm)},
          {"declared_margins", json(from.declared_margins)},
          {"launches", std::move(launches)},
          {"cells", std::move(cells)}};
}

baseline baseline_from_json(const json& from) {
  if (!from.is_object() || !from.contains("baseline_version")) {
    refuse("it", "lacks the field \"baseline_version\"");
  }
  object_reader reader(from, "");
  const std::int64_t version = reader.integer("baseline_version");
  if (version != baseline_version) {
    refuse("baseline_version",
           fmt::format("is {}, and this program reads {}: derive the baseline anew with --update",
                       version, baseline_version));
  }
  baseline to;
  to.machine = machine_class_from_json(reader.at("machine"), "machine");
  to.command = reader.text("command");
  to.reference_arm = reader.text_or_null("reference_arm");
  to.noise_floor_arm = reader.text_or_null("noise_floor_arm");
  for (const auto& [name, value] :
       as_object(reader.at("declared_margins"), "declared_margins").items()) {
    to.declared_margins[name] = as_number(value, "declared_margins." + name);
  }
  const json& launches = reader.array("launches");
  for (std::size_t at = 0; at < launches.size(); ++at) {
    to.launches.push_back(launch_from_json(launches[at], fmt::format("launches[{}]", at)));
  }
  const json& cells = reader.array("cells");
  for (std::size_t at = 0; at < cells.size(); ++at) {
    to.cells.push_back(cell_from_json(cells[at], fmt::format("cells[{}]", at)));
  }
  reader.finish();
  check(to);
  return to;
}

}  // namespace ithaca::reports::gate
