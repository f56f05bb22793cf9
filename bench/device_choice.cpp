#include "bench/device_choice.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "backend/agreement.hpp"
#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#ifdef ITHACA_WITH_CUDA
#include "backend/cuda/open_cuda_device.hpp"
#endif

namespace ithaca::bench {
namespace {

int gpu_count() {
#ifdef ITHACA_WITH_CUDA
  return cuda_device_count();
#else
  return 0;
#endif
}

/// How many lower ranks of the world run on this host.
int rank_on_host(group& world) {
  const std::vector<int>& hosts = world.hosts();
  const auto mine = hosts.begin() + world.rank();
  return static_cast<int>(std::count(hosts.begin(), mine, *mine));
}

std::unique_ptr<device> open_gpu([[maybe_unused]] int ordinal) {
#ifdef ITHACA_WITH_CUDA
  return open_cuda_device(ordinal);
#else
  throw invalid_use("this build has no CUDA: configure where the CUDA toolkit is found");
#endif
}

}  // namespace

chosen_device choose_device(std::optional<device_kind> wanted, gpu_sharing sharing, group& world) {
  const int gpus = gpu_count();
  const bool all_have_gpus = world.agree(gpus > 0);
  if (wanted == device_kind::host || (!wanted && !all_have_gpus)) {
    return {std::make_unique<host_device>(), 0};
  }
  const int index = rank_on_host(world);
  std::string reason;
  if (gpus == 0) {
    reason = "no GPU is usable here: check the driver, or choose --device host";
  } else if (index >= gpus && sharing == gpu_sharing::refused) {
    reason = "there are more ranks than GPUs (" + std::to_string(gpus) + " on this host): start " +
             std::to_string(gpus) + " ranks, or choose --device host";
  }
  require_valid(world, reason);

  chosen_device chosen;
  chosen.ordinal = index % gpus;
  try {
    chosen.opened = open_gpu(chosen.ordinal);
  } catch (const invalid_use& refused) {
    reason = refused.what();
  }
  require_valid(world, reason);
  return chosen;
}

}  // namespace ithaca::bench
