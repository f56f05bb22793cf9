#include "validation/commands/rank_options.hpp"

#include "backend/errors.hpp"
#include "bench/option_values.hpp"

namespace ithaca::validation {

void rank_options::declare(CLI::App& app, const char* shared) {
  app.add_option("--device", device_text_, "auto (GPUs where every rank has one), cuda or host");
  if (shared != nullptr) app.add_flag("--share-gpu", shares_gpu_, shared);
  app.add_option("--timeout", timeout_text_, "Seconds until a stalled exchange is an error");
}

void rank_options::judge() {
  device_ = bench::parse_device(device_text_);
  timeout_ = bench::seconds("--timeout", timeout_text_);
}

bench::chosen_device rank_options::open(group& world) const {
  world.set_timeout(timeout_);
  if (world.size() < 2) throw invalid_use("one rank has nobody to exchange with: start at least 2");
  return bench::choose_device(
      device_, shares_gpu_ ? bench::gpu_sharing::allowed : bench::gpu_sharing::refused, world);
}

}  // namespace ithaca::validation
