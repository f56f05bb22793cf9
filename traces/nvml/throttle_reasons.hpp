#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ithaca::traces {

/// The words for NVML's bits "clocks event reasons" (nvml.h, nvmlClocksEventReason*), without those
/// that are no throttling: an idle GPU, and clocks that somebody set.
std::vector<std::string> throttle_reasons(std::uint64_t bits);

}  // namespace ithaca::traces
