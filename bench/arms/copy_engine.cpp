#include "backend/direct_exchanger.hpp"
#include "bench/arms/direct_claims.hpp"

namespace ithaca::bench {
namespace {

template <memory_sharing how>
std::unique_ptr<exchanger> make(arm_site& site) {
  return std::make_unique<direct_exchanger>(site.ulysses, site.on, direct_options{.sharing = how});
}

arm copy_engine_like(std::string_view name, std::string_view summary,
                     std::unique_ptr<exchanger> (*make)(arm_site&)) {
  return {name, summary, {device_kind::cuda, device_kind::host}, make, copy_engine_claim, 1};
}

}  // namespace

arm copy_engine_arm() {
  return copy_engine_like(
      "copy-engine",
      "pitched copies into the peers' targets on copy engines, rotated, grouped signals",
      make<memory_sharing::descriptor>);
}

arm copy_engine_ipc_arm() {
  return copy_engine_like("copy-engine-ipc",
                          "as copy-engine, targets and signals mapped by CUDA IPC handles",
                          make<memory_sharing::handle>);
}

}  // namespace ithaca::bench
