#pragma once

#include <map>
#include <string>

#include "traces/interval_set.hpp"

namespace ithaca::traces {

/// What one tensor's way to the peers had beside it.
struct tag_overlap {
  interval_set moving;   ///< while bytes of the tag are on their way to peers
  interval_set windows;  ///< of it, beside any computation
  /// Of it, beside each computation, by name. Where two computations run at once, both have it.
  std::map<std::string, interval_set> beside;
};

}  // namespace ithaca::traces
