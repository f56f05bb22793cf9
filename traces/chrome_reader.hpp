#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "traces/chrome_event.hpp"

namespace ithaca::traces {

/// Whether a reader keeps what stands in `args` and `otherData`.
enum class chrome_details { left_out, kept };

/// What a trace holds beside its events.
struct chrome_frame {
  std::vector<std::string> problems;  ///< what is wrong with the text itself, and where
  nlohmann::json other_data;          ///< "otherData"; null if there is none, or it was left out
};

/// Reads a Chrome JSON trace (an object with `traceEvents`, or the bare array) event by event,
/// without holding it. Where the text is wrong, `on_event` has seen the events before that place.
/// A field that is neither text nor a number reads as "?". Details more than a hundred levels deep
/// are a problem of the text. What `on_event` throws comes out of here.
chrome_frame read_chrome_events(std::string_view trace, chrome_details details,
                                const std::function<void(chrome_event&)>& on_event);

}  // namespace ithaca::traces
