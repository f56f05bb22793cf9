#include <algorithm>
#include <vector>

#include "kernels/launch.cuh"
#include "kernels/launchers.hpp"
#include "kernels/push_ring.cuh"
#include "kernels/push_tiles.cuh"

namespace ithaca::kernels {

/// Tiles of vectors come first in the table, then those of bytes.
struct bulk_schedule {
  tile_spread vectors;
  tile_spread bytes;
};

namespace {

constexpr unsigned stage_bytes = 32'768;
using ring = push_ring<4, stage_bytes, 2>;
constexpr tile_limits ring_limits = {128, stage_bytes / 16};
/// One warp turns the ring; all of them move what is not aligned.
constexpr unsigned bulk_threads = 256;
constexpr unsigned byte_units = 8;
static_assert(bulk_threads * byte_units >= ring_limits.most, "a tile is one block's at a time");

template <class Table>
__device__ __forceinline__ void push_bulk(const Table& table, const bulk_schedule& schedule) {
  extern __shared__ __align__(128) unsigned char stages[];
  __shared__ ring::control control;
  if (threadIdx.x < warpSize) ring::push(table, schedule.vectors, stages, control);
  push_tiles<bulk_threads, byte_units>(table, schedule.vectors.tiles, schedule.bytes);
}

}  // namespace

// Overloads, not templates: a profiler shows the plain name.
__global__ void __launch_bounds__(bulk_threads)
    push_bulk_kernel(const __grid_constant__ small_region_table table,
                     const __grid_constant__ bulk_schedule schedule) {
  push_bulk(table, schedule);
}
__global__ void __launch_bounds__(bulk_threads)
    push_bulk_kernel(const __grid_constant__ large_region_table table,
                     const __grid_constant__ bulk_schedule schedule) {
  push_bulk(table, schedule);
}

namespace {

template <class Table>
using bulk_kernel = void (*)(Table, bulk_schedule);

template <class Table>
cudaFuncAttributes attributes_of(bulk_kernel<Table> kernel) {
  cudaFuncAttributes attributes = {};
  require_launched("push_bulk_kernel",
                   cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
  return attributes;
}

std::string why_not_with(const cudaFuncAttributes& kernel) {
  // Of the code that runs here: an older GPU, or a build for older GPUs only, has no bulk copies.
  if (kernel.ptxVersion >= 90 && kernel.binaryVersion >= 90) return "";
  int device = 0;
  int major = 0;
  require_launched("push_bulk_kernel", cudaGetDevice(&device));
  require_launched("push_bulk_kernel",
                   cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  if (major < 9) {
    return "this GPU has no bulk copies (compute capability " + std::to_string(major) +
           ".x; they came with 9.0)";
  }
  return "this build has bulk copies for no GPU: configure it with "
         "-DCMAKE_CUDA_ARCHITECTURES=90 or later";
}

/// The ring is larger than what a block gets unasked.
template <class Table>
void allow_ring(bulk_kernel<Table> kernel) {
  const cudaFuncAttributes attributes = attributes_of(kernel);
  if (attributes.maxDynamicSharedSizeBytes >= static_cast<int>(ring::bytes)) return;
  const std::string reason = why_not_with(attributes);
  if (!reason.empty()) throw launch_error("push_bulk_kernel: " + reason);
  require_launched("push_bulk_kernel",
                   cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                        cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(ring::bytes)));
}

}  // namespace

std::string why_no_bulk_push() {
  try {
    return why_not_with(attributes_of<small_region_table>(push_bulk_kernel));
  } catch (const launch_error& failure) {
    return std::string(failure.what()) +
           " (a build without code for this GPU? configure it with -DCMAKE_CUDA_ARCHITECTURES)";
  }
}

void launch_push_bulk(const std::vector<copy_region>& regions, int ctas, void* native_stream) {
  std::vector<copy_region> ordered = regions;
  const auto bytes = std::stable_partition(ordered.begin(), ordered.end(),
                                           [](const auto& region) { return region.vectors(); });
  const auto vectors = static_cast<std::uint32_t>(bytes - ordered.begin());
  const std::uint32_t units = push_tile_units(ordered, ctas, ring_limits);
  with_fitting_table("push_bulk_kernel", ordered, units, [&]<class Table>(const Table& table) {
    const std::uint32_t first_of_bytes =
        vectors < table.count ? table.entries[vectors].first_tile : table.tiles;
    const std::uint32_t blocks = std::min(table.tiles, static_cast<std::uint32_t>(ctas));
    const bulk_schedule schedule = {spread_over(first_of_bytes, blocks),
                                    spread_over(table.tiles - first_of_bytes, blocks)};
    allow_ring<Table>(push_bulk_kernel);
    launch<Table, bulk_schedule>("push_bulk_kernel", push_bulk_kernel,
                                 {blocks, bulk_threads, ring::bytes}, native_stream, table,
                                 schedule);
  });
}

}  // namespace ithaca::kernels
