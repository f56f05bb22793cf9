#include "reports/machine.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "reports/object_reader.hpp"

namespace ithaca::reports {
namespace {

json gpu_to_json(const gpu& from) {
  return {{"rank", from.rank}, {"ordinal", from.ordinal}, {"uuid", from.uuid}, {"name", from.name}};
}

gpu gpu_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  gpu to{reader.small_count("rank"), reader.small_count("ordinal"), reader.text("uuid"),
         reader.text("name")};
  reader.finish();
  return to;
}

}  // namespace

json to_json(const machine& from) {
  json gpus = json::array();
  for (const gpu& each : from.gpus) gpus.push_back(gpu_to_json(each));
  return {{"device", from.device},
          {"gpus", gpus},
          {"cpu_model", from.cpu_model},
          {"cpu_cores", from.cpu_cores},
          {"numa_nodes", from.numa_nodes},
          {"driver", or_null(from.driver)},
          {"cuda_runtime", or_null(from.cuda_runtime)},
          {"nccl", or_null(from.nccl)},
          {"mpi_library", or_null(from.mpi_library)},
          {"environment", json(from.environment)}};
}

machine machine_from_json(const json& from, const std::string& place) {
  object_reader reader(from, place);
  machine to;
  to.device = reader.one_of("device", {"cuda", "host", "sim"});
  const json& gpus = reader.array("gpus");
  for (std::size_t at = 0; at < gpus.size(); ++at) {
    to.gpus.push_back(gpu_from_json(gpus[at], fmt::format("{}[{}]", reader.place_of("gpus"), at)));
  }
  to.cpu_model = reader.text("cpu_model");
  to.cpu_cores = reader.small_count("cpu_cores");
  to.numa_nodes = reader.small_count("numa_nodes");
  to.driver = reader.text_or_null("driver");
  to.cuda_runtime = reader.text_or_null("cuda_runtime");
  to.nccl = reader.text_or_null("nccl");
  to.mpi_library = reader.text_or_null("mpi_library");
  const std::string environment = reader.place_of("environment");
  for (const auto& [name, value] : as_object(reader.at("environment"), environment).items()) {
    to.environment[name] = as_text(value, environment + "." + name);
  }
  reader.finish();
  return to;
}

}  // namespace ithaca::reports
