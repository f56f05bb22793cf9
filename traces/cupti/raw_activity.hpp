#pragma once

#include <cstdint>
#include <string>

namespace ithaca::traces {

/// CUPTI's kinds of device activity that are recorded. `memcpy_peer` is its MEMCPY2: a copy
/// between two devices. (A copy into mapped peer memory may be either.)
enum class activity_kind { memcpy, memcpy_peer, memset, kernel };

/// The hardware channel that carried an activity, by CUPTI's numbers.
enum class channel_type { unknown = 0, compute = 1, async_memcpy = 2 };

/// One device activity as CUPTI recorded it.
struct raw_activity {
  activity_kind kind = activity_kind::kernel;
  std::string name;               ///< the kernel's, mangled; empty for the others
  std::uint32_t correlation = 0;  ///< CUPTI's id of the API call that launched it
  std::uint64_t operation = 0;    ///< external correlation id around that call; 0: none
  std::uint32_t stream = 0;       ///< CUPTI's id of the CUDA stream
  std::uint32_t device = 0;       ///< CUDA ordinal in this process
  std::int64_t start_ns = 0;      ///< CLOCK_MONOTONIC; 0: not recorded
  std::int64_t end_ns = 0;
  std::uint64_t bytes = 0;  ///< of a copy or memset
  channel_type channel = channel_type::unknown;
  std::uint32_t source_device = 0;  ///< `memcpy_peer` only
  std::uint32_t target_device = 0;  ///< `memcpy_peer` only
  std::uint32_t sms = 0;            ///< of a kernel: one for each thread block, at most all
};

}  // namespace ithaca::traces
