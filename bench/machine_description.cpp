#include "bench/machine_description.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "bench/gpu_sensor.hpp"
#include "bench/numa.hpp"
#include "bench/process_limits.hpp"

#ifdef ITHACA_WITH_CUDA
#include "backend/cuda/open_cuda_device.hpp"
#endif

extern char** environ;

namespace ithaca::bench {
namespace {

/// What changes an exchange. A launcher's other variables hold addresses and paths of the machine,
/// which have no place in a published report.
constexpr std::string_view relevant_prefixes[] = {
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_",  "CUDA_LAUNCH_", "CUDA_MODULE_", "NCCL_",
    "OMPI_MCA_btl",         "OMPI_MCA_coll", "OMPI_MCA_pml", "UCX_"};

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string driver_version() {
  std::string version;
  std::ifstream("/sys/module/nvidia/version") >> version;
  return version.empty() ? "unknown" : version;
}

/// Images set it to what they were built with; what was loaded stands in the report by itself.
constexpr std::string_view misleading = "NCCL_VERSION=";

std::map<std::string, std::string> relevant_environment() {
  std::map<std::string, std::string> relevant;
  for (char** each = environ; *each; ++each) {
    const std::string_view entry = *each;
    const std::size_t equals = entry.find('=');
    for (const std::string_view prefix : relevant_prefixes) {
      if (entry.starts_with(misleading)) continue;
      if (entry.starts_with(prefix) && equals != entry.npos) {
        relevant.emplace(entry.substr(0, equals), entry.substr(equals + 1));
      }
    }
  }
  return relevant;
}

std::vector<reports::gpu> gather_gpus(group& world, const chosen_device& chosen) {
  std::ostringstream mine;
  mine << chosen.ordinal << ' ' << chosen.opened->identity() << ' ' << chosen.opened->description();
  std::vector<reports::gpu> gpus;
  for (const std::string& text : world.all_gather_text(mine.str())) {
    reports::gpu gpu;
    gpu.rank = static_cast<int>(gpus.size());
    std::istringstream theirs(text);
    theirs >> gpu.ordinal >> gpu.uuid;
    std::getline(theirs >> std::ws, gpu.name);
    gpus.push_back(gpu);
  }
  return gpus;
}

/// Every rank asks its own process and GPU, and tells the others.
void gather_places(group& world, const std::set<int>& cores,
                   const std::map<int, std::set<int>>& nodes, reports::machine& into) {
  nlohmann::json mine = nlohmann::json::array();
  for (const auto& [node, its_cores] : nodes) {
    const auto usable = [&](int core) { return its_cores.contains(core); };
    if (std::ranges::any_of(cores, usable)) mine.push_back(node);
  }
  for (const std::string& text : world.all_gather_text(nlohmann::json{cores.size(), mine}.dump())) {
    const nlohmann::json theirs = nlohmann::json::parse(text);
    const std::size_t rank = into.ranks.size();
    into.ranks.push_back({static_cast<int>(rank), theirs[0], theirs[1].get<std::vector<int>>(),
                          world.hosts()[rank]});
  }
}

nlohmann::json or_null(const auto& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

/// Adds each GPU's NUMA node, and what joins it to those of the other ranks.
void gather_topology(group& world, const device& on, reports::machine& into) {
  const gpu_sensor sensor = open_gpu_sensor(on);
  std::optional<std::string> address;
  if (sensor.gpu) address = sensor.gpu->pci_address();
  nlohmann::json links = nlohmann::json::array();
  for (const reports::gpu& each : into.gpus) {
    const bool other = each.rank != world.rank() && sensor.gpu;
    links.push_back(or_null(other ? sensor.gpu->path_to(each.uuid) : std::nullopt));
  }
  const nlohmann::json mine = {or_null(address ? numa_node_of_pci(*address) : std::nullopt), links};
  const std::vector<std::string> told = world.all_gather_text(mine.dump());
  for (std::size_t rank = 0; rank < told.size(); ++rank) {
    const nlohmann::json theirs = nlohmann::json::parse(told[rank]);
    if (!theirs[0].is_null()) into.gpus[rank].numa_node = theirs[0].get<int>();
    for (std::size_t peer = 0; peer < told.size(); ++peer) {
      if (peer == rank) continue;
      reports::gpu_path& path = into.paths.emplace_back(
          reports::gpu_path{static_cast<int>(rank), static_cast<int>(peer)});
      if (!theirs[1][peer].is_null()) path.link = theirs[1][peer].get<std::string>();
    }
  }
}

}  // namespace

reports::machine describe_machine(group& world, const chosen_device& chosen) {
  reports::machine machine;
  machine.device = to_string(chosen.opened->kind());
  machine.cpu_model = cpu_model();
  const std::set<int> cores = usable_cores();
  const std::map<int, std::set<int>> nodes = numa_nodes();
  machine.cpu_cores = static_cast<int>(cores.size());
  machine.numa_nodes = static_cast<int>(nodes.size());
  gather_places(world, cores, nodes, machine);
  machine.limits = read_process_limits();
  machine.environment = relevant_environment();
  if (chosen.opened->kind() == device_kind::cuda) {
    machine.gpus = gather_gpus(world, chosen);
    gather_topology(world, *chosen.opened, machine);
    machine.driver = driver_version();
#ifdef ITHACA_WITH_CUDA
    machine.cuda_runtime = cuda_runtime_version();
#endif
  }
  return machine;
}

}  // namespace ithaca::bench
