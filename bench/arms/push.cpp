#include "backend/direct_exchanger.hpp"
#include "bench/arm.hpp"

namespace ithaca::bench {
namespace {

std::unique_ptr<exchanger> make(arm_site& site) {
  return std::make_unique<direct_exchanger>(site.ulysses, site.on,
                                            direct_options{.moves = mover::push_kernel});
}

/// One kernel a tensor, which stores everything, and the copy engine's signals.
traces::claim claim(std::span<const tensor_spec> specs, int) {
  const auto peers = static_cast<std::uint64_t>(specs.front().geometry.layout.degree() - 1);
  traces::claim said;
  said.kernels = {{"push_kernel", specs.size()}};
  said.signal_writes = 2 * peers;
  said.signal_waits = 2 * peers;
  return said;
}

}  // namespace

arm push_arm() {
  return {"push",
          "one kernel a tensor on 64 thread blocks stores strided rows into the peers' targets",
          {device_kind::cuda, device_kind::host},
          make,
          claim,
          1};
}

}  // namespace ithaca::bench
