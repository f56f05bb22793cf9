#include <limits>

#include "backend/direct_exchanger.hpp"
#include "bench/arms/direct_claims.hpp"

namespace ithaca::bench {
namespace {

std::unique_ptr<exchanger> make_each(arm_site& site) {
  return std::make_unique<direct_exchanger>(site.ulysses, site.on,
                                            direct_options{.moves = mover::push_kernel});
}

std::unique_ptr<exchanger> make_together(arm_site& site) {
  constexpr std::size_t always = std::numeric_limits<std::size_t>::max();
  return std::make_unique<direct_exchanger>(site.ulysses, site.on,
                                            direct_options{.push_together_bytes = always});
}

traces::claim claim_each(const claimed_exchange& of) { return push_each_claim(of, "push_kernel"); }

}  // namespace

arm push_arm() {
  return {"push",
          "one kernel a tensor on a few thread blocks stores strided rows into the peers' targets",
          {device_kind::cuda, device_kind::host},
          make_each,
          claim_each,
          1};
}

arm push_together_arm() {
  return {"push-together",
          "one kernel for all tensors, on the caller's own stream: nothing waits for streams",
          {device_kind::cuda, device_kind::host},
          make_together,
          push_together_claim,
          1};
}

}  // namespace ithaca::bench
