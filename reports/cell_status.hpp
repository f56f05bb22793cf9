#pragma once

#include <string_view>

#include "reports/object_reader.hpp"

namespace ithaca::reports {

/// How a cell ended.
enum class cell_status {
  measured,
  skipped,     ///< its arm can't run it here
  refuted,     ///< the traced pass saw other operations than its arm claims, or bytes were wrong
  incomplete,  ///< the run ended before it was done
};

std::string_view to_string(cell_status status);
/// Reads the field "status".
cell_status read_cell_status(object_reader& reader);

}  // namespace ithaca::reports
