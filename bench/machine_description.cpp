#include "bench/machine_description.hpp"

#include <sched.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

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

int usable_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

int numa_nodes() {
  int nodes = 0;
  std::error_code none;
  for (const auto& each : std::filesystem::directory_iterator("/sys/devices/system/node", none)) {
    const std::string name = each.path().filename();
    if (name.starts_with("node") && name.find_first_not_of("0123456789", 4) == std::string::npos) {
      ++nodes;
    }
  }
  return nodes;
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

}  // namespace

reports::machine describe_machine(group& world, const chosen_device& chosen) {
  reports::machine machine;
  machine.device = to_string(chosen.opened->kind());
  machine.cpu_model = cpu_model();
  machine.cpu_cores = usable_cores();
  machine.numa_nodes = numa_nodes();
  machine.environment = relevant_environment();
  if (chosen.opened->kind() == device_kind::cuda) {
    machine.gpus = gather_gpus(world, chosen);
    machine.driver = driver_version();
#ifdef ITHACA_WITH_CUDA
    machine.cuda_runtime = cuda_runtime_version();
#endif
  }
  return machine;
}

}  // namespace ithaca::bench
