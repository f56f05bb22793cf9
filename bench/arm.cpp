#include "bench/arm.hpp"

#include <algorithm>

namespace ithaca::bench {

exchange_facts facts_of(const claimed_exchange& of) {
  return facts_of(of.specs, of.rank, of.parts);
}

bool arm::runs_on(device_kind kind) const {
  return std::ranges::find(devices, kind) != devices.end();
}

std::string arm::why_not(exchange_mode mode) const {
  if (mode == exchange_mode::isolated) return "";
  if (bare) return "exchanges back to back leave no place for packing outside the clock";
  if (reuse_by_caller)
    return "exchanges back to back overrun their readers: nothing keeps them apart";
  return "";
}

}  // namespace ithaca::bench
