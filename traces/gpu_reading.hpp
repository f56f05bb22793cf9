#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ithaca::traces {

/// What a GPU says of itself at one moment. Empty is what it, its driver or the container does not
/// tell; nothing is guessed.
struct gpu_reading {
  std::optional<std::int64_t> sm_mhz = std::nullopt;
  std::optional<std::int64_t> memory_mhz = std::nullopt;
  std::optional<std::int64_t> power_mw = std::nullopt;
  std::optional<std::int64_t> temperature_c = std::nullopt;
  /// Why the clocks are lower than they could be, in words; empty if nothing slows them.
  std::optional<std::vector<std::string>> throttle_reasons = std::nullopt;
  /// How long the power limit and the temperature have held the clocks down so far.
  std::optional<std::int64_t> power_limited_ns = std::nullopt;
  std::optional<std::int64_t> thermally_limited_ns = std::nullopt;
  /// Payload over all NVLinks of the GPU so far, in steps of 1 KiB.
  std::optional<std::int64_t> nvlink_sent_bytes = std::nullopt;
  std::optional<std::int64_t> nvlink_received_bytes = std::nullopt;
  bool operator==(const gpu_reading&) const = default;
};

}  // namespace ithaca::traces
