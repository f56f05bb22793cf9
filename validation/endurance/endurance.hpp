#pragma once

#include <cstdint>
#include <functional>

#include "validation/contract/contract_site.hpp"
#include "validation/endurance/holdings.hpp"

namespace ithaca::validation {

/// After so many exchanges everything that an exchanger makes has been made.
inline constexpr std::uint64_t settled_exchanges = 100;

/// What a process held after the first exchanges, and after all of them.
struct endurance {
  holdings before = {};
  holdings after = {};
  std::int64_t mismatched_bytes = 0;  ///< of all exchanges and ranks
};

/// `exchanges` exchanges of a small layer (Q, K and V), with contents of their own each, checked
/// behind each wait. `look` is called twice, on every rank, while no rank does anything.
/// Collective. Throws `not_eligible` where the site's exchanger can't run.
endurance endure(
    contract_site& site, std::uint64_t exchanges,
    const std::function<holdings()>& look = [] { return holdings::now(); });

}  // namespace ithaca::validation
