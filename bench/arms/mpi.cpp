#include "backend/mpi/mpi_exchanger.hpp"
#include "bench/arm.hpp"

namespace ithaca::bench {
namespace {

std::unique_ptr<exchanger> make(arm_site& site) {
  return make_mpi_exchanger(site.ulysses, site.on);
}

traces::claim claim(std::span<const tensor_spec>, int) {
  traces::claim said;
  said.kernels = {{"pack_kernel", 1}, {"MPI_Alltoallv", 1}, {"relayout_kernel", 1}};
  return said;
}

}  // namespace

arm mpi_arm() {
  return {"mpi",
          "one pack, one MPI_Alltoallv, one relayout: the baseline without a GPU",
          {device_kind::host},
          make,
          claim,
          3};
}

}  // namespace ithaca::bench
