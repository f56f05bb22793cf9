#include "kernels/move_regions.hpp"

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#ifdef ITHACA_WITH_CUDA
#include "kernels/launchers.hpp"
#endif

namespace ithaca::kernels {
namespace {

using shared_regions = std::shared_ptr<const std::vector<copy_region>>;

/// Drops empty regions, and makes one row of those without gaps: rows that are no multiple of a
/// vector can still be one together.
shared_regions normalize(std::vector<copy_region> regions) {
  for (copy_region& region : regions) {
    if (region.width > region.source_pitch || region.width > region.target_pitch) {
      throw std::invalid_argument("move_regions: a row is wider than its pitch");
    }
    if (region.source_pitch == region.width && region.target_pitch == region.width) {
      region.width *= region.height;
      region.height = 1;
    }
    if (region.height == 1) region.source_pitch = region.target_pitch = region.width;
  }
  std::erase_if(regions, [](const auto& region) { return region.width * region.height == 0; });
  if (regions.size() > max_copy_regions) {
    throw std::length_error("move_regions: more than 512 regions in one call");
  }
  return std::make_shared<const std::vector<copy_region>>(std::move(regions));
}

void move_on_host(const std::vector<copy_region>& regions) {
  for (const copy_region& region : regions) {
    for (std::size_t row = 0; row < region.height; ++row) {
      std::memcpy(region.target + row * region.target_pitch,
                  region.source + row * region.source_pitch, region.width);
    }
  }
}

kernel_call make_call(std::string name, const shared_regions& regions) {
  kernel_call call;
  call.name = std::move(name);
  for (const copy_region& region : *regions) {
    call.reads.push_back({region.source, region.source_pitch, region.width, region.height});
    call.writes.push_back({region.target, region.target_pitch, region.width, region.height});
  }
  call.host = [regions] { move_on_host(*regions); };
  return call;
}

}  // namespace

kernel_call pack(std::vector<copy_region> regions) {
  const shared_regions shared = normalize(std::move(regions));
  kernel_call call = make_call("pack_kernel", shared);
#ifdef ITHACA_WITH_CUDA
  call.cuda = [shared](void* native_stream) { launch_pack(*shared, native_stream); };
#endif
  return call;
}

kernel_call relayout(std::vector<copy_region> regions) {
  const shared_regions shared = normalize(std::move(regions));
  kernel_call call = make_call("relayout_kernel", shared);
#ifdef ITHACA_WITH_CUDA
  call.cuda = [shared](void* native_stream) { launch_relayout(*shared, native_stream); };
#endif
  return call;
}

kernel_call push(std::vector<copy_region> regions, int ctas) {
  if (ctas <= 0) throw std::invalid_argument("push: it needs at least one thread block");
  const shared_regions shared = normalize(std::move(regions));
  kernel_call call = make_call("push_kernel", shared);
#ifdef ITHACA_WITH_CUDA
  call.cuda = [shared, ctas](void* native_stream) { launch_push(*shared, ctas, native_stream); };
#endif
  return call;
}

}  // namespace ithaca::kernels
