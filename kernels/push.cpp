#include "kernels/push.hpp"

#include <stdexcept>
#include <utility>

#include "kernels/region_call.hpp"

#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {

kernel_call push(std::vector<copy_region> regions, push_options options) {
  if (options.ctas <= 0) throw std::invalid_argument("push: it needs at least one thread block");
  const bool bulk = options.stores == push_stores::bulk;
  const shared_regions shared = normalized(std::move(regions));
  kernel_call call = region_call(bulk ? "push_bulk_kernel" : "push_kernel", shared);
#ifdef ITHACA_WITH_CUDA
  call.cuda = [shared, bulk, ctas = options.ctas](void* native_stream) {
    (bulk ? launch_push_bulk : launch_push)(*shared, ctas, native_stream);
  };
#endif
  return call;
}

#ifndef ITHACA_WITH_CUDA
std::string why_no_bulk_push() { return ""; }
#endif

}  // namespace ithaca::kernels
