#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/copy_region.hpp"
#include "kernels/kernel_call.hpp"

/// What every call that copies regions shares, for their builders only.
namespace ithaca::kernels {

using shared_regions = std::shared_ptr<const std::vector<copy_region>>;

/// Without the empty regions, and with one row for those without gaps: rows that are no multiple
/// of a vector can still be one together. Throws `std::length_error` for more than
/// `max_copy_regions`, `std::invalid_argument` for a row wider than its pitch.
shared_regions normalized(std::vector<copy_region> regions);

/// The call under `name`, with its host twin and without a launcher.
kernel_call region_call(std::string name, const shared_regions& regions);

}  // namespace ithaca::kernels
