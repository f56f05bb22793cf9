#pragma once

#include <cstddef>

namespace ithaca {

/// Throws `invalid_use`: the current GPU, `ordinal`, has no room for `bytes`.
[[noreturn]] void refuse_for_memory(int ordinal, std::size_t bytes);

}  // namespace ithaca
