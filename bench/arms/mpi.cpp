#include "backend/mpi/mpi_exchanger.hpp"
#include "bench/arm.hpp"

namespace ithaca::bench {
namespace {

std::unique_ptr<exchanger> make_mpi(arm_site& site) {
  return make_mpi_exchanger(site.ulysses, site.on);
}

std::unique_ptr<exchanger> make_mpi_bare(arm_site& site) {
  return make_mpi_exchanger(site.ulysses, site.on, packing::by_caller);
}

traces::claim claim_mpi(const claimed_exchange& of) {
  const exchange_facts facts = facts_of(of);
  traces::claim said;
  said.kernels = {{"pack_kernel", facts.submits_sent > 0 ? 1u : 0u},
                  {"MPI_Ialltoallv", 1},
                  {"relayout_kernel", facts.submits_received > 0 ? 1u : 0u}};
  return said;
}

traces::claim claim_mpi_bare(const claimed_exchange&) {
  traces::claim said;
  said.kernels = {{"MPI_Ialltoallv", 1}};
  return said;
}

}  // namespace

arm mpi_arm() {
  return {"mpi",
          "one pack, one MPI_Ialltoallv, one relayout: the baseline without a GPU",
          {device_kind::host},
          make_mpi,
          claim_mpi,
          3};
}

arm mpi_bare_arm() {
  return {"mpi-bare",
          "MPI_Ialltoallv alone: packed before the clock starts, laid out after it stops",
          {device_kind::host},
          make_mpi_bare,
          claim_mpi_bare,
          3,
          false,
          true};
}

}  // namespace ithaca::bench
