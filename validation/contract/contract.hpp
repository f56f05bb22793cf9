#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validation/contract/contract_site.hpp"

namespace ithaca::validation {

/// One promise of `exchanger`, checked on every implementation.
struct contract_check {
  std::string_view name;
  /// Collective. Returns what is wrong, empty if nothing, the same on every rank.
  std::string (*run)(contract_site& site);
};

/// The contract, in the order in which it is checked.
std::span<const contract_check> contract_checks();

}  // namespace ithaca::validation
