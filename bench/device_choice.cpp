#include "bench/device_choice.hpp"

#include <sstream>
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

std::vector<std::string> visible_gpus() {
#ifdef ITHACA_WITH_CUDA
  return visible_cuda_devices();
#else
  return {};
#endif
}

/// What every rank sees.
std::vector<std::vector<std::string>> gather_visible(const std::vector<std::string>& mine,
                                                     group& world) {
  std::string text;
  for (const std::string& gpu : mine) text += gpu + '\n';
  std::vector<std::vector<std::string>> all;
  for (const std::string& told : world.all_gather_text(text)) {
    std::istringstream lines(told);
    std::vector<std::string>& theirs = all.emplace_back();
    for (std::string gpu; std::getline(lines, gpu);) theirs.push_back(gpu);
  }
  return all;
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
  const std::vector<std::string> gpus = visible_gpus();
  const bool all_have_gpus = world.agree(!gpus.empty());
  if (wanted == device_kind::host || (!wanted && !all_have_gpus)) {
    return {std::make_unique<host_device>(), 0};
  }
  const chosen_gpus all = choose_gpus(world.hosts(), gather_visible(gpus, world), sharing);
  if (!all.refusal.empty()) throw invalid_use(all.refusal);

  chosen_device chosen;
  chosen.ordinal = all.ordinals[static_cast<std::size_t>(world.rank())];
  std::string reason;
  try {
    chosen.opened = open_gpu(chosen.ordinal);
  } catch (const invalid_use& refused) {
    reason = refused.what();
  }
  require_valid(world, reason);
  return chosen;
}

}  // namespace ithaca::bench
