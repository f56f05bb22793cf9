#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/gate/comparison.hpp"
#include "reports/gate/finding.hpp"
#include "reports/gate/noise_floor.hpp"

namespace ithaca::reports::gate {

enum class verdict { pass, fail, invalid, ambiguous };

std::string_view to_string(verdict of);
/// 0, 1, 2 and 4 (`reports/console/exit_codes.hpp`).
int exit_code(verdict of);

/// What a gate came to.
struct result {
  std::string baseline;              ///< its file
  std::vector<std::string> reports;  ///< their files
  std::vector<comparison> comparisons = {};
  std::vector<noise_floor> noise_floors = {};
  std::size_t counts_compared = 0;
  std::vector<finding> findings = {};  ///< the gravest first
};

/// The gravest finding's, for invalid > fail > ambiguous > pass. Where nothing was compared it is
/// invalid.
verdict verdict_of(const result& of);

/// A result that says nothing but why there is none.
result refused(std::string baseline, std::vector<std::string> reports, std::string why);

}  // namespace ithaca::reports::gate
