#pragma once

#include <memory>

#include "backend/device.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"
#include "backend/packed_exchanger.hpp"

namespace ithaca {

/// The packed exchange over MPI_Alltoallv, the baseline of machines without a GPU. Collective.
/// Throws `not_eligible` if `among` is no MPI group or `on` no host device.
std::unique_ptr<exchanger> make_mpi_exchanger(group& among, device& on,
                                              packing packed = packing::whole_exchange);

}  // namespace ithaca
