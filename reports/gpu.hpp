#pragma once

#include <optional>
#include <string>

namespace ithaca::reports {

/// The GPU of one rank. The UUID identifies it; ordinals differ between processes.
struct gpu {
  int rank = 0;
  int ordinal = 0;  ///< in that rank's own numbering
  std::string uuid;
  std::string name;
  std::optional<int> numa_node = std::nullopt;  ///< that it hangs on; empty if not readable
  bool operator==(const gpu&) const = default;
};

}  // namespace ithaca::reports
