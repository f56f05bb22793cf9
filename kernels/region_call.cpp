#include "kernels/region_call.hpp"

#include <cstring>
#include <stdexcept>
#include <utility>

namespace ithaca::kernels {
namespace {

void move_on_host(const std::vector<copy_region>& regions) {
  for (const copy_region& region : regions) {
    for (std::size_t row = 0; row < region.height; ++row) {
      std::memcpy(region.target + row * region.target_pitch,
                  region.source + row * region.source_pitch, region.width);
    }
  }
}

}  // namespace

shared_regions normalized(std::vector<copy_region> regions) {
  for (copy_region& region : regions) {
    if (region.width > region.source_pitch || region.width > region.target_pitch) {
      throw std::invalid_argument("copy_region: a row is wider than its pitch");
    }
    if (region.source_pitch == region.width && region.target_pitch == region.width) {
      region.width *= region.height;
      region.height = 1;
    }
    if (region.height == 1) region.source_pitch = region.target_pitch = region.width;
  }
  std::erase_if(regions, [](const auto& region) { return region.width * region.height == 0; });
  if (regions.size() > max_copy_regions) {
    throw std::length_error("copy_region: more than 512 regions in one call");
  }
  return std::make_shared<const std::vector<copy_region>>(std::move(regions));
}

kernel_call region_call(std::string name, const shared_regions& regions) {
  kernel_call call;
  call.name = std::move(name);
  for (const copy_region& region : *regions) {
    call.reads.push_back({region.source, region.source_pitch, region.width, region.height});
    call.writes.push_back({region.target, region.target_pitch, region.width, region.height});
  }
  call.host = [regions] { move_on_host(*regions); };
  return call;
}

}  // namespace ithaca::kernels
