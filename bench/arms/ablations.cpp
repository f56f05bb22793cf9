#include <vector>

#include "bench/arms/direct_arm.hpp"
#include "bench/arms/direct_claims.hpp"

namespace ithaca::bench {
namespace {

constexpr std::size_t as_many_as_peers = 64;
constexpr int wide_barrier_blocks = 128;

arm ablation(std::string_view name, std::string_view summary,
             std::unique_ptr<exchanger> (*make)(arm_site&),
             traces::claim (*claim)(const claimed_exchange&)) {
  arm made = direct_arm(name, summary, make, claim);
  made.ablation = true;
  return made;
}

arm packed_ablation() {
  arm made = ablation("copy-engine-packed", "rows packed by a kernel first, then contiguous copies",
                      make_direct<direct_options{.source = copy_source::packed}>,
                      copy_engine_packed_claim);
  made.memory_factor = 2;
  return made;
}

}  // namespace

std::vector<arm> copy_engine_ablation_arms() {
  return {
      ablation("copy-engine-2-lanes", "peers spread over two copy streams",
               make_direct<direct_options{.lanes = 2}>, copy_engine_claim),
      ablation("copy-engine-lane-a-peer", "a copy stream for each peer",
               make_direct<direct_options{.lanes = as_many_as_peers}>, copy_engine_claim),
      ablation("copy-engine-normal-priority", "a copy stream without priority",
               make_direct<direct_options{.copy_priority = stream_priority::normal}>,
               copy_engine_claim),
      ablation("copy-engine-per-tensor", "arrival signalled and awaited for each tensor",
               make_direct<direct_options{.arrivals = arrival_scope::per_tensor}>,
               copy_engine_per_tensor_claim),
      ablation(
          "copy-engine-kernel-signals", "arrival signalled and awaited by kernels of one block",
          make_direct<direct_options{.signals = signal_kind::kernel}>, copy_engine_barrier_claim),
      ablation("copy-engine-wide-barrier", "the same, awaited by 128 blocks, which keep their SMs",
               make_direct<direct_options{.signals = signal_kind::kernel,
                                          .awaiting_blocks = wide_barrier_blocks}>,
               copy_engine_barrier_claim),
      packed_ablation(),
      ablation("copy-engine-own-behind", "the own chunk copied behind the peers' copies",
               make_direct<direct_options{.own = own_chunk_way::copy_stream}>, copy_engine_claim),
      ablation("copy-engine-own-kernel", "the own chunk moved by a kernel on the caller's stream",
               make_direct<direct_options{.own = own_chunk_way::kernel}>,
               copy_engine_own_kernel_claim),
  };
}

}  // namespace ithaca::bench
