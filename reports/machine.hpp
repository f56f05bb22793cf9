#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/gpu.hpp"
#include "reports/gpu_path.hpp"
#include "reports/json.hpp"
#include "reports/process_limits.hpp"
#include "reports/rank_place.hpp"

namespace ithaca::reports {

/// Where a run took place; what is said of a host is said of rank 0's. The names of hosts are left
/// out on purpose: reports are published.
struct machine {
  std::string device;     ///< "cuda", "host" or "sim"
  std::vector<gpu> gpus;  ///< one a rank; none without CUDA
  /// Of every ordered pair of ranks; none without CUDA.
  std::vector<gpu_path> paths = {};
  std::string cpu_model;
  int cpu_cores = 0;   ///< that the process may use
  int numa_nodes = 0;  ///< 0 where the system doesn't say
  std::vector<rank_place> ranks = {};
  process_limits limits = {};
  std::optional<std::string> driver = std::nullopt;
  std::optional<std::string> cuda_runtime = std::nullopt;
  std::optional<std::string> nccl = std::nullopt;  ///< the version that was loaded
  std::optional<std::string> mpi_library = std::nullopt;
  /// Of a simulation, and only then there: the file that its figures come from, by its name without
  /// the ending.
  std::optional<std::string> fabric = std::nullopt;
  /// Only variables that change an exchange (CUDA_*, NCCL_*, OMPI_MCA_*, ...).
  std::map<std::string, std::string> environment = {};
  bool operator==(const machine&) const = default;
};

/// On how many hosts the ranks were.
int host_count(const machine& of);

json to_json(const machine& from);
/// Throws `std::invalid_argument`, naming `place`, for what is no machine.
machine machine_from_json(const json& from, const std::string& place);

}  // namespace ithaca::reports
