// NCCL's ways to move an exchange: they differ in what one collective carries, in the memory that
// it is handed, and in the SMs that it may take.

#include <algorithm>

#ifdef ITHACA_WITH_NCCL
#include "backend/nccl/nccl_exchanger.hpp"
#else
#include "backend/errors.hpp"
#endif
#include "backend/chunk_sizes.hpp"
#include "bench/arm.hpp"

namespace ithaca::bench {
namespace {

#ifdef ITHACA_WITH_NCCL

template <cta_policy policy, nccl_buffers buffers, packing packed>
std::unique_ptr<exchanger> make_as(arm_site& site) {
  auto& communicator = policy == cta_policy::zero ? site.nccl_zero_cta : site.nccl;
  if (!communicator) {
    communicator = open_nccl(site.ulysses, site.on, policy, site.nccl_file);
    site.nccl_version = nccl_version(*communicator);
  }
  return make_nccl_exchanger(site.ulysses, site.on, communicator, buffers, packed);
}

using enum cta_policy;
using enum nccl_buffers;

constexpr auto make_nccl = make_as<standard, plain, packing::whole_exchange>;
constexpr auto make_nccl_per_tensor = make_as<standard, plain, packing::each_submit>;
constexpr auto make_nccl_windows = make_as<standard, windows, packing::whole_exchange>;
constexpr auto make_nccl_zero_cta = make_as<zero, windows, packing::whole_exchange>;
constexpr auto make_nccl_bare = make_as<standard, plain, packing::by_caller>;
constexpr auto make_nccl_windows_bare = make_as<standard, windows, packing::by_caller>;
constexpr auto make_nccl_zero_cta_bare = make_as<zero, windows, packing::by_caller>;

#else

std::unique_ptr<exchanger> make_nccl(arm_site&) {
  throw not_eligible("this build has no NCCL: configure where nccl.h is found");
}
constexpr auto make_nccl_per_tensor = make_nccl;
constexpr auto make_nccl_windows = make_nccl;
constexpr auto make_nccl_zero_cta = make_nccl;
constexpr auto make_nccl_bare = make_nccl;
constexpr auto make_nccl_windows_bare = make_nccl;
constexpr auto make_nccl_zero_cta_bare = make_nccl;

#endif

/// `each_submit`: every submit has a collective of its own.
traces::claim packed_claim(const claimed_exchange& of, bool each_submit, const char* kernel) {
  const exchange_facts facts = facts_of(of);
  const auto times = [&](std::uint64_t submits) {
    return each_submit ? submits : std::min<std::uint64_t>(submits, 1);
  };
  traces::claim said;
  said.kernels = {{"pack_kernel", times(facts.submits_sent)},
                  {kernel, times(facts.submits)},
                  {"relayout_kernel", times(facts.submits_received)}};
  return said;
}

traces::claim claim_nccl_one(const claimed_exchange& of) {
  return packed_claim(of, false, "ncclDevKernel_*");
}

traces::claim claim_nccl_per_tensor(const claimed_exchange& of) {
  return packed_claim(of, true, "ncclDevKernel_*");
}

/// Which kernel NCCL takes for registered memory is its own affair; that it is one is the claim.
traces::claim claim_nccl_windows(const claimed_exchange& of) {
  return packed_claim(of, false, "nccl*DevKernel_*");
}

/// Nothing of NCCL on SMs, and every byte by copy engine: an arm that silently fell back to a
/// kernel is refuted.
traces::claim claim_nccl_zero_cta(const claimed_exchange& of) {
  traces::claim said = packed_claim(of, false, "ncclDevKernel_*");
  std::erase_if(said.kernels, [](const auto& each) { return each.name == "ncclDevKernel_*"; });
  said.peer_copies_on_copy_engine = true;
  const std::size_t chunk = largest_chunk_bytes(of.specs);
  said.peer_copies.count =
      static_cast<std::uint64_t>(of.specs.front().geometry.layout.degree() - 1);
  said.peer_copies.bytes = said.peer_copies.count * chunk;
  said.local_copies = {1, chunk};
  // One copy a chunk in 2.28; in 2.32 its signals are copies, too.
  said.copies_in_any_number = true;
  said.flag_bytes = 8;
  return said;
}

/// What is left of an arm's claim when packing and laying out are the caller's.
template <traces::claim (*whole)(const claimed_exchange&)>
traces::claim without_packing(const claimed_exchange& of) {
  traces::claim said = whole(of);
  std::erase_if(said.kernels, [](const auto& each) {
    return each.name == "pack_kernel" || each.name == "relayout_kernel";
  });
  return said;
}

arm nccl_like(std::string_view name, std::string_view summary,
              std::unique_ptr<exchanger> (*make)(arm_site&),
              traces::claim (*claim)(const claimed_exchange&)) {
  return {name, summary, {device_kind::cuda}, make, claim, 3};
}

arm bare(arm of) {
  of.bare = true;
  return of;
}

}  // namespace

arm nccl_arm() {
  return nccl_like("nccl",
                   "one pack kernel, one ncclAlltoAll, one relayout kernel, as frameworks do",
                   make_nccl, claim_nccl_one);
}

arm nccl_per_tensor_arm() {
  return nccl_like("nccl-per-tensor", "pack, ncclAlltoAll and relayout for each of Q, K and V",
                   make_nccl_per_tensor, claim_nccl_per_tensor);
}

arm nccl_windows_arm() {
  return nccl_like("nccl-windows", "as nccl, on buffers in registered symmetric windows",
                   make_nccl_windows, claim_nccl_windows);
}

arm nccl_zero_cta_arm() {
  return nccl_like("nccl-zero-cta", "as nccl-windows, by NCCL's copy-engine collective (2.28 on)",
                   make_nccl_zero_cta, claim_nccl_zero_cta);
}

arm nccl_bare_arm() {
  return bare(nccl_like("nccl-bare", "the ncclAlltoAll of nccl alone, packing outside the clock",
                        make_nccl_bare, without_packing<claim_nccl_one>));
}

arm nccl_windows_bare_arm() {
  return bare(nccl_like("nccl-windows-bare", "the ncclAlltoAll of nccl-windows alone",
                        make_nccl_windows_bare, without_packing<claim_nccl_windows>));
}

arm nccl_zero_cta_bare_arm() {
  return bare(nccl_like("nccl-zero-cta-bare", "the ncclAlltoAll of nccl-zero-cta alone",
                        make_nccl_zero_cta_bare, without_packing<claim_nccl_zero_cta>));
}

}  // namespace ithaca::bench
