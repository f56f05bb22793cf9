#include "reports/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

json gpu_to_json(const gpu& from) {
  return {{"rank", from.rank},
          {"ordinal", from.ordinal},
          {"uuid", from.uuid},
          {"name", from.name},
          {"numa_node", from.numa_node ? json(*from.numa_node) : json(nullptr)}};
}

gpu gpu_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  gpu to{reader.small_count("rank"), reader.small_count("ordinal"), reader.text("uuid"),
         reader.text("name")};
  if (!reader.at("numa_node").is_null()) to.numa_node = reader.small_count("numa_node");
  reader.finish();
  return to;
}

json path_to_json(const gpu_path& from) {
  return {{"source", from.source}, {"target", from.target}, {"link", or_null(from.link)}};
}

gpu_path path_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  gpu_path to{reader.small_count("source"), reader.small_count("target"),
              reader.text_or_null("link")};
  reader.finish();
  return to;
}

json rank_to_json(const rank_place& from) {
  return {{"rank", from.rank},
          {"host", from.host},
          {"cpu_cores", from.cpu_cores},
          {"numa_nodes", json(from.numa_nodes)}};
}

rank_place rank_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  rank_place to{reader.small_count("rank"), reader.small_count("cpu_cores"), {}};
  for (const json& node : reader.array("numa_nodes")) {
    to.numa_nodes.push_back(as_small_count(node, reader.place_of("numa_nodes")));
  }
  // Reports of one host used to say nothing of it.
  if (reader.find("host")) to.host = reader.small_count("host");
  reader.finish();
  return to;
}

template <class Type>
json list_to_json(const std::vector<Type>& from, json (*each_to_json)(const Type&)) {
  json list = json::array();
  for (const Type& each : from) list.push_back(each_to_json(each));
  return list;
}

template <class Type>
std::vector<Type> list_from_json(object_reader& reader, const std::string& field,
                                 Type (*each_from_json)(const json&, const std::string&)) {
  std::vector<Type> to;
  const json& list = reader.array(field);
  for (std::size_t at = 0; at < list.size(); ++at) {
    to.push_back(each_from_json(list[at], fmt::format("{}[{}]", reader.place_of(field), at)));
  }
  return to;
}

}  // namespace

int host_count(const machine& of) {
  return of.ranks.empty() ? 1 : std::ranges::max(of.ranks, {}, &rank_place::host).host + 1;
}

json to_json(const machine& from) {
  json to = {{"device", from.device},
             {"gpus", list_to_json(from.gpus, gpu_to_json)},
             {"paths", list_to_json(from.paths, path_to_json)},
             {"cpu_model", from.cpu_model},
             {"cpu_cores", from.cpu_cores},
             {"numa_nodes", from.numa_nodes},
             {"ranks", list_to_json(from.ranks, rank_to_json)},
             {"limits", to_json(from.limits)},
             {"driver", or_null(from.driver)},
             {"cuda_runtime", or_null(from.cuda_runtime)},
             {"nccl", or_null(from.nccl)},
             {"mpi_library", or_null(from.mpi_library)},
             {"environment", json(from.environment)}};
  if (from.fabric) to["fabric"] = *from.fabric;
  return to;
}

machine machine_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  machine to;
  to.device = reader.one_of("device", {"cuda", "host", "sim"});
  to.gpus = list_from_json(reader, "gpus", gpu_from_json);
  to.paths = list_from_json(reader, "paths", path_from_json);
  to.cpu_model = reader.text("cpu_model");
  to.cpu_cores = reader.small_count("cpu_cores");
  to.numa_nodes = reader.small_count("numa_nodes");
  to.ranks = list_from_json(reader, "ranks", rank_from_json);
  to.limits = process_limits_from_json(reader.at("limits"), reader.place_of("limits"));
  to.driver = reader.text_or_null("driver");
  to.cuda_runtime = reader.text_or_null("cuda_runtime");
  to.nccl = reader.text_or_null("nccl");
  to.mpi_library = reader.text_or_null("mpi_library");
  if (reader.find("fabric")) to.fabric = reader.text("fabric");
  const std::string environment = reader.place_of("environment");
  for (const auto& [name, value] : as_object(reader.at("environment"), environment).items()) {
    to.environment[name] = as_text(value, environment + "." + name);
  }
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
