#include "bench/gpu_sensor.hpp"

#include <stdexcept>

namespace ithaca::bench {

gpu_sensor open_gpu_sensor(const device& on) {
  if (on.kind() != device_kind::cuda) {
    return {nullptr, "the " + std::string(to_string(on.kind())) + " device has no GPU to read"};
  }
  try {
    return {std::make_unique<traces::nvml_gpu>(traces::open_nvml(), on.identity()), ""};
  } catch (const std::runtime_error& failure) {
    return {nullptr, failure.what()};
  }
}

}  // namespace ithaca::bench
