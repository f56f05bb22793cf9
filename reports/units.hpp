#pragma once

namespace ithaca::reports {

inline constexpr double ns_per_us = 1e3;
inline constexpr double ns_per_ms = 1e6;
inline constexpr double bytes_per_mib = 1024.0 * 1024.0;

}  // namespace ithaca::reports
