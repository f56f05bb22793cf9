#include "bench/arm.hpp"

#include <algorithm>

namespace ithaca::bench {

bool arm::runs_on(device_kind kind) const {
  return std::ranges::find(devices, kind) != devices.end();
}

}  // namespace ithaca::bench
