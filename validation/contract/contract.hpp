#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validation/contract/contract_site.hpp"

namespace ithaca::validation {

/// Whether a check is worth the time with each element type, or shows the same with any of them.
enum class type_coverage { every_type, one_type };

/// One promise of `exchanger`, checked on every implementation.
struct contract_check {
  std::string_view name;
  /// Collective. Returns what is wrong, empty if nothing, the same on every rank.
  std::string (*run)(contract_site& site);
  type_coverage types;
};

/// The contract, in the order in which it is checked.
std::span<const contract_check> contract_checks();

}  // namespace ithaca::validation
