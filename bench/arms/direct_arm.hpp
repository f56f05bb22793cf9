#pragma once

#include <memory>
#include <string_view>

#include "backend/direct_exchanger.hpp"
#include "bench/arm.hpp"

namespace ithaca::bench {

/// A direct exchanger with `options`.
template <direct_options options>
std::unique_ptr<exchanger> make_direct(arm_site& site) {
  return std::make_unique<direct_exchanger>(site.ulysses, site.on, options);
}

/// An arm of it, for every kind of device.
inline arm direct_arm(std::string_view name, std::string_view summary,
                      std::unique_ptr<exchanger> (*make)(arm_site&),
                      traces::claim (*claim)(const claimed_exchange&)) {
  return {name, summary, {device_kind::cuda, device_kind::host, device_kind::sim}, make, claim, 1};
}

}  // namespace ithaca::bench
