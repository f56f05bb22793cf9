#pragma once

#include <optional>
#include <string>

namespace ithaca::reports {

/// What joins the GPUs of two ranks, seen from the first.
struct gpu_path {
  int source = 0;
  int target = 0;
  /// In the words of `nvidia-smi topo -m`, e.g. "NV18" or "SYS"; empty if it can't be read.
  std::optional<std::string> link = std::nullopt;
  bool operator==(const gpu_path&) const = default;
};

}  // namespace ithaca::reports
