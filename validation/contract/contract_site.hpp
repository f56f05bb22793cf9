#pragma once

#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "backend/device.hpp"
#include "backend/element_type.hpp"
#include "backend/exchanger.hpp"
#include "backend/group.hpp"

namespace ithaca::validation {

/// Where a contract check runs: one rank of one group, and the way to the exchanger under test.
struct contract_site {
  group& ranks;
  device& on;
  element_type type = element_type::bf16;
  /// Collective; may throw `not_eligible`.
  std::function<std::unique_ptr<exchanger>()> make;
  /// The exchanger leaves guarantee 3 to its caller: exchanges are kept apart by a barrier.
  bool reuse_by_caller = false;

  std::vector<int> global_ranks() const {
    std::vector<int> all(static_cast<std::size_t>(ranks.size()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
};

}  // namespace ithaca::validation
