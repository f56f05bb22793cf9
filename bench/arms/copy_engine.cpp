#include <vector>

#include "backend/direct_exchanger.hpp"
#include "bench/arms/direct_claims.hpp"

namespace ithaca::bench {
namespace {

constexpr direct_options two_targets{.reuse = target_reuse::n_buffers, .target_buffers = 2};

template <direct_options options>
std::unique_ptr<exchanger> make(arm_site& site) {
  return std::make_unique<direct_exchanger>(site.ulysses, site.on, options);
}

arm copy_engine_like(std::string_view name, std::string_view summary,
                     std::unique_ptr<exchanger> (*make)(arm_site&),
                     traces::claim (*claim)(const claimed_exchange&)) {
  return {name, summary, {device_kind::cuda, device_kind::host, device_kind::sim}, make, claim, 1};
}

traces::claim staged_claim(const claimed_exchange& of) {
  return copy_engine_claim({of.specs, of.rank, staged_suffix, of.parts});
}

}  // namespace

arm copy_engine_arm() {
  return copy_engine_like(
      "copy-engine",
      "pitched copies into the peers' targets on copy engines, rotated, grouped signals",
      make<direct_options{}>, copy_engine_claim);
}

arm copy_engine_paced_arm() {
  return copy_engine_like(
      "copy-engine-paced",
      "as copy-engine, each copy waits for the one that went to its receiver before",
      make<direct_options{.order = peer_order::paced}>, copy_engine_paced_claim);
}

arm copy_engine_naive_arm() {
  return copy_engine_like("copy-engine-naive",
                          "as copy-engine, peers in the order 0, 1, ... on every rank",
                          make<direct_options{.order = peer_order::naive}>, copy_engine_claim);
}

arm copy_engine_ipc_arm() {
  return copy_engine_like(
      "copy-engine-ipc", "as copy-engine, targets and signals mapped by CUDA IPC handles",
      make<direct_options{.sharing = memory_sharing::handle}>, copy_engine_claim);
}

arm copy_engine_n_buffers_arm() {
  arm made = copy_engine_like(
      "copy-engine-n-buffers",
      "as copy-engine, two targets a tag in turn instead of a signal that they are free",
      make<two_targets>, copy_engine_arrival_claim);
  made.memory_factor = static_cast<int>(two_targets.target_buffers);
  return made;
}

arm copy_engine_external_arm() {
  arm made = copy_engine_like(
      "copy-engine-external",
      "as copy-engine, nothing says that targets are free: the caller keeps exchanges apart",
      make<direct_options{.reuse = target_reuse::external}>, copy_engine_arrival_claim);
  made.reuse_by_caller = true;
  return made;
}

arm copy_engine_flags_arm() {
  return copy_engine_like(
      "copy-engine-flags", "as copy-engine, with signals that a CUDA graph can replay",
      make<direct_options{.words = signal_words::flags}>, copy_engine_flags_claim);
}

arm copy_engine_staged_arm() {
  arm made = copy_engine_like(
      "copy-engine-staged", "as copy-engine, but signals are copies of eight bytes, too",
      make<direct_options{.signals = signal_kind::staged_copy}>, staged_claim);
  std::erase(made.devices, device_kind::sim);  // there a copy is no signal
  return made;
}

}  // namespace ithaca::bench
