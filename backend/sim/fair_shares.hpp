#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ithaca::sim {

/// The ports that one flow passes, by index, each at most once.
using flow_path = std::vector<std::size_t>;

/// What each flow gets when all share their ports fairly: max-min fairness, by progressive filling
/// (Bertsekas and Gallager, "Data Networks", 6.5.2). All rates grow alike; a port that is full
/// stops the flows that pass it; the others go on. So no flow can get more without taking from one
/// that has no more than itself.
///
/// Every flow passes at least one port. Rates in the unit of `capacities`, in the order of `flows`.
std::vector<double> fair_shares(std::span<const double> capacities,
                                std::span<const flow_path> flows);

}  // namespace ithaca::sim
