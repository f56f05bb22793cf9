#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace ithaca::bench {

/// The cores of every NUMA node, by node number, as Linux tells it below `root`; empty where it
/// doesn't.
std::map<int, std::set<int>> numa_nodes(const std::filesystem::path& root = "/");

/// The node that a PCI device ("0000:18:00.0") hangs on; empty where Linux doesn't say, or knows
/// of no node for it.
std::optional<int> numa_node_of_pci(const std::string& address,
                                    const std::filesystem::path& root = "/");

/// Cores that this process may use.
std::set<int> usable_cores();

/// The numbers of a list as Linux writes it: "0-3,8". Empty if it is no list.
std::set<int> parse_core_list(const std::string& text);

}  // namespace ithaca::bench
