#include <algorithm>

#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/push_tiles.cuh"

namespace ithaca::kernels {
namespace {

/// 64 KiB in flight a block: what a few SMs need to fill a link.
constexpr unsigned push_threads = 512;
constexpr unsigned push_units = 8;
constexpr tile_limits push_limits = {256, push_threads* push_units};

}  // namespace

// Overloads, not templates: a profiler shows the plain name.
__global__ void __launch_bounds__(push_threads)
    push_kernel(const __grid_constant__ small_region_table table,
                const __grid_constant__ tile_spread spread) {
  push_tiles<push_threads, push_units>(table, 0, spread);
}
__global__ void __launch_bounds__(push_threads)
    push_kernel(const __grid_constant__ large_region_table table,
                const __grid_constant__ tile_spread spread) {
  push_tiles<push_threads, push_units>(table, 0, spread);
}

void launch_push(const std::vector<copy_region>& regions, int ctas, void* native_stream) {
  const std::uint32_t units = push_tile_units(regions, ctas, push_limits);
  with_fitting_table("push_kernel", regions, units, [&]<class Table>(const Table& table) {
    const std::uint32_t blocks = std::min(table.tiles, static_cast<std::uint32_t>(ctas));
    launch<Table, tile_spread>("push_kernel", push_kernel, {blocks, push_threads}, native_stream,
                               table, spread_over(table.tiles, blocks));
  });
}

}  // namespace ithaca::kernels
