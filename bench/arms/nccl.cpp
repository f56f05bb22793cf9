#ifdef ITHACA_WITH_NCCL
#include "backend/nccl/nccl_exchanger.hpp"
#else
#include "backend/errors.hpp"
#endif
#include "bench/arms/arms.hpp"

namespace ithaca::bench {
namespace {

std::unique_ptr<exchanger> make(arm_site& site) {
#ifdef ITHACA_WITH_NCCL
  if (!site.nccl) {
    site.nccl = open_nccl(site.ulysses, site.on);
    site.nccl_version = nccl_version(*site.nccl);
  }
  return make_nccl_exchanger(site.ulysses, site.on, site.nccl);
#else
  (void)site;
  throw not_eligible("this build has no NCCL: configure where nccl.h is found");
#endif
}

traces::claim claim(std::span<const tensor_spec>, int) {
  traces::claim said;
  said.kernels = {{"pack_kernel", 1}, {"ncclDevKernel_*", 1}, {"relayout_kernel", 1}};
  return said;
}

}  // namespace

arm nccl_arm() {
  return {"nccl",
          "one pack kernel, one ncclAlltoAll, one relayout kernel, as frameworks do",
          {device_kind::cuda},
          make,
          claim,
          3};
}

}  // namespace ithaca::bench
