#include <vector>

#include "bench/arms/direct_arm.hpp"
#include "bench/arms/direct_claims.hpp"

namespace ithaca::bench {
namespace {

constexpr direct_options two_targets{.reuse = target_reuse::n_buffers, .target_buffers = 2};

traces::claim staged_claim(const claimed_exchange& of) {
  return copy_engine_claim({of.specs, of.rank, staged_suffix, of.parts});
}

}  // namespace

arm copy_engine_arm() {
  return direct_arm(
      "copy-engine",
      "pitched copies into the peers' targets on copy engines, rotated, grouped signals",
      make_direct<direct_options{}>, copy_engine_claim);
}

arm copy_engine_paced_arm() {
  return direct_arm("copy-engine-paced",
                    "as copy-engine, each copy waits for the one that went to its receiver before",
                    make_direct<direct_options{.order = peer_order::paced}>,
                    copy_engine_paced_claim);
}

arm copy_engine_naive_arm() {
  return direct_arm("copy-engine-naive",
                    "as copy-engine, peers in the order 0, 1, ... on every rank",
                    make_direct<direct_options{.order = peer_order::naive}>, copy_engine_claim);
}

arm copy_engine_ipc_arm() {
  return direct_arm(
      "copy-engine-ipc", "as copy-engine, targets and signals mapped by CUDA IPC handles",
      make_direct<direct_options{.sharing = memory_sharing::handle}>, copy_engine_claim);
}

arm copy_engine_n_buffers_arm() {
  arm made =
      direct_arm("copy-engine-n-buffers",
                 "as copy-engine, two targets a tag in turn instead of a signal that they are free",
                 make_direct<two_targets>, copy_engine_arrival_claim);
  made.memory_factor = static_cast<int>(two_targets.target_buffers);
  return made;
}

arm copy_engine_external_arm() {
  arm made = direct_arm(
      "copy-engine-external",
      "as copy-engine, nothing says that targets are free: the caller keeps exchanges apart",
      make_direct<direct_options{.reuse = target_reuse::external}>, copy_engine_arrival_claim);
  made.reuse_by_caller = true;
  return made;
}

arm copy_engine_flags_arm() {
  return direct_arm(
      "copy-engine-flags", "as copy-engine, with signals that a CUDA graph can replay",
      make_direct<direct_options{.words = signal_words::flags}>, copy_engine_flags_claim);
}

arm copy_engine_staged_arm() {
  arm made =
      direct_arm("copy-engine-staged", "as copy-engine, but signals are copies of eight bytes, too",
                 make_direct<direct_options{.signals = signal_kind::staged_copy}>, staged_claim);
  std::erase(made.devices, device_kind::sim);  // there a copy is no signal
  return made;
}

}  // namespace ithaca::bench
