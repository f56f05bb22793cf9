#include "bench/arms/table.hpp"

#include <algorithm>
#include <iterator>

#include "bench/selected_names.hpp"

namespace ithaca::bench {

// The files of this folder, and below the order in which people see them.
arm communicator_arm();
arm copy_engine_arm();
arm copy_engine_paced_arm();
arm copy_engine_naive_arm();
arm copy_engine_ipc_arm();
arm copy_engine_n_buffers_arm();
arm copy_engine_external_arm();
arm copy_engine_flags_arm();
arm copy_engine_staged_arm();
arm push_arm();
arm push_bulk_arm();
arm push_exchange_arm();
arm hybrid_arm();
arm nccl_arm();
arm nccl_per_tensor_arm();
arm nccl_windows_arm();
arm nccl_zero_cta_arm();
arm nccl_bare_arm();
arm nccl_windows_bare_arm();
arm nccl_zero_cta_bare_arm();
arm mpi_arm();
arm mpi_bare_arm();
std::vector<arm> copy_engine_ablation_arms();

std::span<const arm> arm_table() {
  static const std::vector<arm> table = [] {
    std::vector<arm> arms = {
        communicator_arm(),
        copy_engine_arm(),
        copy_engine_paced_arm(),
        copy_engine_naive_arm(),
        copy_engine_ipc_arm(),
        copy_engine_n_buffers_arm(),
        copy_engine_external_arm(),
        copy_engine_flags_arm(),
        copy_engine_staged_arm(),
        push_arm(),
        push_bulk_arm(),
        push_exchange_arm(),
        hybrid_arm(),
        nccl_arm(),
        nccl_per_tensor_arm(),
        nccl_windows_arm(),
        nccl_zero_cta_arm(),
        nccl_bare_arm(),
        nccl_windows_bare_arm(),
        nccl_zero_cta_bare_arm(),
        mpi_arm(),
        mpi_bare_arm(),
    };
    std::ranges::move(copy_engine_ablation_arms(), std::back_inserter(arms));
    return arms;
  }();
  return table;
}

const arm* find_arm(std::string_view name) {
  const auto found = std::ranges::find(arm_table(), name, &arm::name);
  return found == arm_table().end() ? nullptr : &*found;
}

std::vector<std::string> arm_names() {
  std::vector<std::string> names;
  for (const arm& each : arm_table()) names.emplace_back(each.name);
  return names;
}

std::vector<std::string> select_arms(std::span<const std::string> wanted) {
  std::vector<std::string> named;
  for (const std::string& name : wanted) {
    if (name != "all" && name != "ablations") {
      named.push_back(name);
      continue;
    }
    for (const arm& each : arm_table()) {
      if (each.ablation == (name == "ablations")) named.emplace_back(each.name);
    }
  }
  return select_names("arm", named, arm_names());
}

std::string_view default_reference(device_kind kind) {
  switch (kind) {
    case device_kind::cuda:
      return "nccl";
    case device_kind::host:
      return "mpi";
    case device_kind::sim:
      break;
  }
  return "copy-engine";
}

}  // namespace ithaca::bench
