#pragma once

#include <cstddef>
#include <string>

#include "reports/report.hpp"

namespace ithaca::reports {

/// What a terminal shows in a line.
inline constexpr std::size_t table_width = 120;
/// Spaces before a line of a table.
inline constexpr std::size_t table_indent = 2;

/// What a reader must know before believing a time: the report's note, whether the run is complete,
/// the ceiling and the handshake, and where throttling discarded rounds or did not.
std::string preamble(const report& of);

/// "281.6..289.2": the middle 90 % of the samples.
std::string spread(const cell& of);

/// "1.62 [1.60, 1.64]", or "-".
std::string speedup(const cell& of);

/// A sentence, indented, on a cell called `name` that was not measured: why.
std::string unmeasured(const cell& of, const std::string& name);

}  // namespace ithaca::reports
