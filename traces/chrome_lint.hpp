#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ithaca::traces {

struct lint_result {
  std::vector<std::string> messages;  ///< empty if nothing is wrong
  bool broken = false;                ///< the text itself is no trace, or not to its end
};

/// What an importer would refuse, drop or misread in a Chrome JSON trace. Each message names its
/// place: the event's index in `traceEvents` and its name, or line and column.
///
/// The rules: the text parses; `ts` and `dur` are microseconds, not negative, with at most three
/// decimals, and small enough that a double keeps them; pid and tid are small unsigned integers,
/// each with a name; slices on one track are apart or nested; an arrow's id is an integer of 63
/// bits or hexadecimal text, and it has one start and one end, in this order, each on a slice, the
/// end bound to the enclosing one; instants have a scope, counters numbers. Phases other than X, i,
/// s, f, C and M are reported: no rule here covers them. After the first hundred messages only the
/// number of further ones is given.
lint_result lint(std::string_view trace);

}  // namespace ithaca::traces
