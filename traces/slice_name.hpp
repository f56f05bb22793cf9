#pragma once

#include <string>

#include "traces/timeline_record.hpp"

namespace ithaca::traces {

/// What a viewer shows on the record's slice: "v -> rank 2", "v own chunk", a kernel's name.
std::string slice_name(const timeline_record& record);

}  // namespace ithaca::traces
