#include "bench/numa.hpp"

#include <sched.h>

#include <fstream>
#include <sstream>
#include <system_error>

namespace ithaca::bench {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& of) {
  std::string line;
  std::ifstream file(of);
  std::getline(file, line);
  return line;
}

/// The number behind "node"; empty for another name.
std::optional<int> node_number(const std::string& name) {
  constexpr std::string_view prefix = "node";
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return std::nullopt;
  if (name.find_first_not_of("0123456789", prefix.size()) != std::string::npos) return std::nullopt;
  return std::stoi(name.substr(prefix.size()));
}

}  // namespace

std::map<int, std::set<int>> numa_nodes(const fs::path& root) {
  std::map<int, std::set<int>> nodes;
  std::error_code none;
  for (const auto& each : fs::directory_iterator(root / "sys/devices/system/node", none)) {
    if (const auto number = node_number(each.path().filename())) {
      nodes[*number] = parse_core_list(first_line(each.path() / "cpulist"));
    }
  }
  return nodes;
}

std::optional<int> numa_node_of_pci(const std::string& address, const fs::path& root) {
  int node = -1;  // so Linux writes "none", too
  std::ifstream(root / "sys/bus/pci/devices" / address / "numa_node") >> node;
  return node < 0 ? std::nullopt : std::optional(node);
}

std::set<int> usable_cores() {
  std::set<int> cores;
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) cores.insert(core);
  }
  return cores;
}

std::set<int> parse_core_list(const std::string& text) {
  std::set<int> cores;
  std::istringstream list(text);
  for (std::string range; std::getline(list, range, ',');) {
    std::istringstream ends(range);
    int first = 0;
    if (!(ends >> first)) return {};
    int last = first;
    char dash = 0;
    if (ends >> dash && (dash != '-' || !(ends >> last))) return {};
    for (int core = first; core <= last; ++core) cores.insert(core);
  }
  return cores;
}

}  // namespace ithaca::bench
