#include "backend/mpi/mpi_exchanger.hpp"

#include "backend/errors.hpp"
#include "backend/mpi/mpi_group.hpp"
#include "backend/mpi/mpi_transport.hpp"

namespace ithaca {

std::unique_ptr<exchanger> make_mpi_exchanger(group& among, device& on, packing packed) {
  const auto* ranks = dynamic_cast<const mpi_group*>(&among);
  if (!ranks) throw not_eligible("the ranks are no MPI processes");
  if (on.kind() != device_kind::host) throw not_eligible("MPI moves host memory only here");
  return std::make_unique<packed_exchanger>(among, on, std::make_unique<mpi_transport>(*ranks),
                                            packed);
}

}  // namespace ithaca
