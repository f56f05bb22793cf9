#pragma once

#include <memory>
#include <string>

#include "backend/device.hpp"
#include "traces/nvml/nvml_gpu.hpp"

namespace ithaca::bench {

/// This rank's GPU as NVML sees it, or the reason why there is none.
struct gpu_sensor {
  std::unique_ptr<traces::nvml_gpu> gpu;
  std::string reason;
};

/// Never throws for what can't be read.
gpu_sensor open_gpu_sensor(const device& on);

}  // namespace ithaca::bench
