#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/region_table.cuh"

namespace ithaca::kernels {

// Overloads, not templates: a profiler shows the plain name. A block for each tile.
__global__ void __launch_bounds__(tile_threads)
    pack_kernel(const __grid_constant__ small_region_table table) {
  move_tile<tile_threads, units_per_thread>(table, blockIdx.x);
}
__global__ void __launch_bounds__(tile_threads)
    pack_kernel(const __grid_constant__ large_region_table table) {
  move_tile<tile_threads, units_per_thread>(table, blockIdx.x);
}
__global__ void __launch_bounds__(tile_threads)
    relayout_kernel(const __grid_constant__ small_region_table table) {
  move_tile<tile_threads, units_per_thread>(table, blockIdx.x);
}
__global__ void __launch_bounds__(tile_threads)
    relayout_kernel(const __grid_constant__ large_region_table table) {
  move_tile<tile_threads, units_per_thread>(table, blockIdx.x);
}
__global__ void __launch_bounds__(tile_threads)
    own_chunk_kernel(const __grid_constant__ small_region_table table) {
  move_tile<tile_threads, units_per_thread>(table, blockIdx.x);
}
__global__ void __launch_bounds__(tile_threads)
    own_chunk_kernel(const __grid_constant__ large_region_table table) {
  move_tile<tile_threads, units_per_thread>(table, blockIdx.x);
}

void launch_pack(const std::vector<copy_region>& regions, void* native_stream) {
  with_fitting_table("pack_kernel", regions, tile_units, [&]<class Table>(const Table& table) {
    launch<Table>("pack_kernel", pack_kernel, {table.tiles, tile_threads}, native_stream, table);
  });
}

void launch_relayout(const std::vector<copy_region>& regions, void* native_stream) {
  with_fitting_table("relayout_kernel", regions, tile_units, [&]<class Table>(const Table& table) {
    launch<Table>("relayout_kernel", relayout_kernel, {table.tiles, tile_threads}, native_stream,
                  table);
  });
}

void launch_own_chunk(const std::vector<copy_region>& regions, void* native_stream) {
  with_fitting_table("own_chunk_kernel", regions, tile_units, [&]<class Table>(const Table& table) {
    launch<Table>("own_chunk_kernel", own_chunk_kernel, {table.tiles, tile_threads}, native_stream,
                  table);
  });
}

}  // namespace ithaca::kernels
