#include "reports/machine_class.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

std::string text(const std::string& of) { return of; }
std::string text(int of) { return std::to_string(of); }
std::string text(const std::optional<std::string>& of) { return of.value_or("none"); }
std::string text(const std::vector<std::string>& of) {
  return of.empty() ? "none" : fmt::format("{}", fmt::join(of, ", "));
}

std::vector<std::string> texts_from_json(const json& from, const std::string& place) {
  std::vector<std::string> to;
  for (const json& each : as_array(from, place)) to.push_back(as_text(each, place));
  return to;
}

}  // namespace

machine_class class_of(const machine& of, int ranks) {
  machine_class to{of.device, ranks};
  for (const gpu& each : of.gpus) to.gpus.push_back(each.name);
  for (const gpu_path& each : of.paths) to.links.push_back(each.link.value_or("unknown"));
  if (of.driver) to.driver_major = of.driver->substr(0, of.driver->find('.'));
  to.nccl = of.nccl;
  to.fabric = of.fabric;
  return to;
}

std::optional<std::string> difference(const machine_class& found, const machine_class& expected) {
  std::optional<std::string> first;
  const auto compare = [&](const char* what, const auto machine_class::*member) {
    if (first || found.*member == expected.*member) return;
    first = fmt::format("has {} {} where {} is expected", what, text(found.*member),
                        text(expected.*member));
  };
  compare("the device", &machine_class::device);
  compare("ranks:", &machine_class::ranks);
  compare("the GPUs", &machine_class::gpus);
  compare("the links", &machine_class::links);
  compare("the driver", &machine_class::driver_major);
  compare("NCCL", &machine_class::nccl);
  compare("the fabric", &machine_class::fabric);
  return first;
}

json to_json(const machine_class& from) {
  return {{"device", from.device},
          {"ranks", from.ranks},
          {"gpus", from.gpus},
          {"links", from.links},
          {"driver_major", or_null(from.driver_major)},
          {"nccl", or_null(from.nccl)},
          {"fabric", or_null(from.fabric)}};
}

machine_class machine_class_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  machine_class to;
  to.device = reader.one_of("device", {"cuda", "host", "sim"});
  to.ranks = reader.small_count("ranks");
  to.gpus = texts_from_json(reader.at("gpus"), reader.place_of("gpus"));
  to.links = texts_from_json(reader.at("links"), reader.place_of("links"));
  to.driver_major = reader.text_or_null("driver_major");
  to.nccl = reader.text_or_null("nccl");
  to.fabric = reader.text_or_null("fabric");
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
