#include "reports/cell.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

void check(const cell& of, const std::string& place) {
  const bool measured = of.status == cell_status::measured;
  const bool may_have_samples = measured || of.status == cell_status::incomplete;
  const auto require = [&](bool holds, const char* otherwise) {
    if (!holds) refuse(place, fmt::format("is {} but {}", to_string(of.status), otherwise));
  };
  require(of.reason.has_value() != measured, measured ? "has a reason" : "has no reason");
  require(measured || of.metrics.empty(), "has metrics");
  require(!measured || !of.metrics.empty(), "has no metrics");
  require(may_have_samples || of.samples.empty(), "has samples");
  require(!measured || !of.samples.empty(), "has no samples");
  require(may_have_samples || !of.overlap, "says what overlapped");
  require(!measured || of.checked.mismatched_bytes == 0, "has mismatched bytes");
}

sample_matrix samples_from_json(const json& from, const std::string& place) {
  std::vector<sample_matrix::launch> launches;
  for (std::size_t l = 0; l < from.size(); ++l) {
    const std::string launch_place = fmt::format("{}[{}]", place, l);
    auto& launch = launches.emplace_back();
    const json& rounds = as_array(from[l], launch_place);
    for (std::size_t r = 0; r < rounds.size(); ++r) {
      const std::string round_place = fmt::format("{}[{}]", launch_place, r);
      auto& round = launch.emplace_back();
      const json& samples = as_array(rounds[r], round_place);
      for (std::size_t i = 0; i < samples.size(); ++i) {
        round.push_back(as_integer(samples[i], fmt::format("{}[{}]", round_place, i)));
      }
    }
  }
  try {
    return sample_matrix(std::move(launches));
  } catch (const std::invalid_argument& error) {
    refuse(place, fmt::format("has {}", error.what()));
  }
}

}  // namespace

void cell::refute(std::string why) {
  status = cell_status::refuted;
  reason = std::move(why);
  samples = {};
  metrics.clear();
  overlap.reset();
}

json to_json(const cell& from) {
  const std::string place = fmt::format("the cell \"{}\"", to_string(from.key));
  check(from, place);
  json to = json::object();
  write_fields(from.key, to);
  to["status"] = to_string(from.status);
  to["reason"] = or_null(from.reason);
  to["way"] = or_null(from.way);
  to["samples_ns"] = from.samples.launches();
  json metrics = json::object();
  for (const auto& [name, value] : from.metrics) metrics[name] = to_json(value);
  to["metrics"] = std::move(metrics);
  to["counts"] = to_json(from.counts);
  to["checked"] = to_json(from.checked);
  if (from.overlap) to["overlap"] = to_json(*from.overlap, place + ".overlap");
  return to;
}

cell cell_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  cell to;
  to.key = read_cell_key(reader);
  to.status = read_cell_status(reader);
  to.reason = reader.text_or_null("reason");
  to.way = reader.text_or_null("way");
  to.samples = samples_from_json(reader.array("samples_ns"), reader.place_of("samples_ns"));
  const std::string metrics = reader.place_of("metrics");
  for (const auto& [name, value] : as_object(reader.at("metrics"), metrics).items()) {
    to.metrics[name] = metric_from_json(value, metrics + "." + name);
  }
  to.counts = operation_counts_from_json(reader.at("counts"), reader.place_of("counts"));
  to.checked = checked_bytes_from_json(reader.at("checked"), reader.place_of("checked"));
  if (const json* overlap = reader.find("overlap")) {
    to.overlap = overlap_figures_from_json(*overlap, reader.place_of("overlap"));
  }
  reader.finish();
  check(to, place);
  return to;
}

}  // namespace ithaca::reports
