#include "bench/arm.hpp"

#include <algorithm>

namespace ithaca::bench {

bool arm::runs_on(device_kind kind) const {
  return std::ranges::find(devices, kind) != devices.end();
}

std::string arm::why_not(exchange_mode mode) const {
  if (!bare || mode == exchange_mode::isolated) return "";
  return "exchanges back to back leave no place for packing outside the clock";
}

}  // namespace ithaca::bench
