#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "backend/device.hpp"

namespace ithaca::validation {

/// What this process holds now; looking takes a descriptor for a moment.
struct holdings {
  std::int64_t descriptors = 0;
  std::int64_t threads = 0;
  std::int64_t mappings = 0;
  std::int64_t resident_bytes = 0;
  /// Of its GPU, where nobody else uses it.
  std::optional<std::int64_t> device_free_bytes = std::nullopt;

  /// Without the device.
  static holdings now();
  /// `on` is used by this process alone.
  static holdings now(const device& on);
};

/// "9 descriptors, 5 threads, 120 mappings, 14.2 MiB resident, 81234 MiB of the device free"
std::string to_string(const holdings& of);

/// What `after` holds more than `before`, in words; empty if nothing. Descriptors, threads and
/// memory of the device are counted exactly. An allocator may keep a little more: 4 mappings and
/// 1 MiB are not told; nor any, under a sanitizer, which keeps what was freed for its own reports.
std::string growth(const holdings& before, const holdings& after);

}  // namespace ithaca::validation
