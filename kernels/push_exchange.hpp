#pragma once

#include <cstdint>
#include <vector>

#include "kernels/copy_region.hpp"
#include "kernels/kernel_call.hpp"

namespace ithaca::kernels {

/// More than this doesn't fit one launch: regions, and words of one kind. What a kernel is told is
/// paid for at every launch, and this one is for small exchanges.
inline constexpr std::size_t max_exchange_regions = 32;
inline constexpr std::size_t max_signal_words = 16;

/// A whole exchange in one launch ("push_exchange_kernel"): awaits the peers' release of their
/// targets (unless it has no bytes for them), stores all regions with at most `ctas` thread blocks,
/// signals the peers that all bytes are there, and ends when the peers' signals are. Nothing passes
/// from one stream operation to the next, which is what a small exchange spends its time on; in
/// return its last block holds its place on an SM until the slowest peer has come.
///
/// `blocks_done` is a word of the device's memory, 0, that no other launch uses before this one has
/// written `signals.sent`; then it is 0 again. Regions as for `push`; there may be none. Throws as
/// `push`, and `std::length_error` for more regions or words than fit.
kernel_call push_exchange(std::vector<copy_region> regions, kernel_signals signals,
                          std::uint32_t* blocks_done, int ctas);

}  // namespace ithaca::kernels
