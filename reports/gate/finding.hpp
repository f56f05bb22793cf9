#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/cell_key.hpp"

namespace ithaca::reports::gate {

/// What a finding means for the verdict, the gravest first.
enum class finding_kind {
  invalid,    ///< the comparison itself can't be trusted
  worse,      ///< slower beyond the margin, or more operations
  ambiguous,  ///< noise does not let it be decided
  improved,   ///< quicker beyond the margin, or fewer operations
  too_noisy,  ///< the baseline's noise lets nothing be decided: said, and nothing more
};

std::string_view to_string(finding_kind of);

/// Something that a person should read.
struct finding {
  finding_kind kind = finding_kind::invalid;
  std::optional<cell_key> cell = std::nullopt;  ///< empty: of the whole run
  std::string what;                             ///< the metric or count, or empty
  std::string message;                          ///< a sentence without its full stop
};

}  // namespace ithaca::reports::gate
