#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "traces/chrome_event.hpp"

namespace ithaca::traces {

/// Reads a Chrome JSON trace (an object with `traceEvents`, or the bare array) event by event,
/// without holding it. Returns what is wrong with the text itself; `on_event` has then seen the
/// events before that place. A field that is neither text nor a number reads as "?".
std::vector<std::string> read_chrome_events(
    std::istream& trace, const std::function<void(const chrome_event&)>& on_event);

}  // namespace ithaca::traces
