#pragma once

#include <chrono>

namespace ithaca {

/// Long enough for a loaded machine: only a test that fails waits for it.
inline constexpr std::chrono::seconds hang_limit{20};

}  // namespace ithaca
