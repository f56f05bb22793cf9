#pragma once

#include <nlohmann/json.hpp>

namespace ithaca::reports {

/// Keeps the fields in the order in which they are written, so that a report reads from the
/// general to the particular.
using json = nlohmann::ordered_json;

}  // namespace ithaca::reports
