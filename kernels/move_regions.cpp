#include "kernels/move_regions.hpp"

#include <utility>

#include "kernels/region_call.hpp"

#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {

kernel_call pack(std::vector<copy_region> regions) {
  const shared_regions shared = normalized(std::move(regions));
  kernel_call call = region_call("pack_kernel", shared);
#ifdef ITHACA_WITH_CUDA
  call.cuda = [shared](void* native_stream) { launch_pack(*shared, native_stream); };
#endif
  return call;
}

kernel_call relayout(std::vector<copy_region> regions) {
  const shared_regions shared = normalized(std::move(regions));
  kernel_call call = region_call("relayout_kernel", shared);
#ifdef ITHACA_WITH_CUDA
  call.cuda = [shared](void* native_stream) { launch_relayout(*shared, native_stream); };
#endif
  return call;
}

kernel_call copy_own_chunk(std::vector<copy_region> regions) {
  const shared_regions shared = normalized(std::move(regions));
  kernel_call call = region_call("own_chunk_kernel", shared);
#ifdef ITHACA_WITH_CUDA
  call.cuda = [shared](void* native_stream) { launch_own_chunk(*shared, native_stream); };
#endif
  return call;
}

}  // namespace ithaca::kernels
