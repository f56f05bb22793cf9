#include "validation/commands/kernels.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <memory>

#include "backend/errors.hpp"
#include "backend/host/host_device.hpp"
#include "bench/option_values.hpp"
#include "reports/console/exit_codes.hpp"
#include "validation/kernels/compare_kernel.hpp"
#ifdef ITHACA_WITH_CUDA
#include "backend/cuda/open_cuda_device.hpp"
#endif

namespace ithaca::validation {
namespace {

std::unique_ptr<device> open_gpu([[maybe_unused]] int ordinal) {
#ifdef ITHACA_WITH_CUDA
  return open_cuda_device(ordinal);
#else
  throw invalid_use("this build has no CUDA: configure where the CUDA toolkit is found");
#endif
}

/// How the trials of one kernel went.
struct tally {
  std::size_t trials = 0;
  std::size_t failed = 0;
  std::string why_skipped = {};
};

void print(const std::string& kernel, const tally& of) {
  if (!of.why_skipped.empty()) {
    fmt::print("skip {}: {}\n", kernel, of.why_skipped);
  } else {
    fmt::print("{} {}: {} of {} launches left the host form's bytes\n", of.failed ? "FAIL" : "ok  ",
               kernel, of.trials - of.failed, of.trials);
  }
}

}  // namespace

void kernels_command::declare(CLI::App& app) {
  app.add_option("--gpu", typed_gpu_, "Which GPU, as this process counts them");
}

void kernels_command::judge() { gpu_ = bench::whole_number("--gpu", typed_gpu_, 0, 1023); }

int kernels_command::run_alone() {
  const std::unique_ptr<device> gpu = open_gpu(gpu_);
  host_device host;
  fmt::print("ithaca-validate: kernels on GPU {} ({})\n", gpu_, gpu->description());
  std::map<std::string, tally> kernels;
  each_kernel_trial([&](const kernel_trial& trial) {
    tally& of = kernels[trial.kernel];
    of.why_skipped = trial.why_not;
    if (!trial.why_not.empty()) return;
    ++of.trials;
    const std::string wrong = compare_kernel(trial, *gpu, host);
    if (wrong.empty()) return;
    ++of.failed;
    fmt::print("FAIL {}, {}: {}\n", trial.kernel, trial.what, wrong);
  });
  bool all_right = true;
  for (const auto& [kernel, of] : kernels) {
    print(kernel, of);
    all_right = all_right && of.failed == 0;
  }
  return all_right ? console::good : console::check_failed;
}

}  // namespace ithaca::validation
