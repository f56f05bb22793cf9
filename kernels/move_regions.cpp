#include "kernels/move_regions.hpp"

#include <utility>

#include "kernels/region_call.hpp"

#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {

namespace {

using launcher = void (*)(const std::vector<copy_region>& regions, void* native_stream);

kernel_call move_regions(const char* name, std::vector<copy_region> regions,
                         [[maybe_unused]] launcher launch) {
  const shared_regions shared = normalized(std::move(regions));
  kernel_call call = region_call(name, shared);
#ifdef ITHACA_WITH_CUDA
  call.cuda = [shared, launch](void* native_stream) { launch(*shared, native_stream); };
#endif
  return call;
}

#ifndef ITHACA_WITH_CUDA
constexpr launcher launch_pack = nullptr;
constexpr launcher launch_relayout = nullptr;
constexpr launcher launch_own_chunk = nullptr;
#endif

}  // namespace

kernel_call pack(std::vector<copy_region> regions) {
  return move_regions("pack_kernel", std::move(regions), launch_pack);
}

kernel_call relayout(std::vector<copy_region> regions) {
  return move_regions("relayout_kernel", std::move(regions), launch_relayout);
}

kernel_call copy_own_chunk(std::vector<copy_region> regions) {
  return move_regions("own_chunk_kernel", std::move(regions), launch_own_chunk);
}

}  // namespace ithaca::kernels
