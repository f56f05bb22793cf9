#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/kernel_call.hpp"

namespace ithaca::validation {

/// Where a trial's contents lie on a device.
struct trial_areas {
  std::byte* source = nullptr;
  std::byte* target = nullptr;
  std::uint64_t* words = nullptr;
};

/// One launch of one kernel, to be run on two devices from the same contents.
struct kernel_trial {
  std::string kernel;    ///< its name, as a profiler shows it
  std::string what;      ///< sizes and alignment, in words
  std::size_t past = 0;  ///< bytes past a 16-byte boundary at which source and target begin
  std::vector<std::byte> source = {};
  std::vector<std::byte> target = {};
  std::vector<std::uint64_t> words = {};
  std::function<kernel_call(const trial_areas&)> build;
  std::string why_not = {};  ///< why a GPU can't run it; empty: it can
};

/// Every kernel with odd sizes, pitches and alignments, one trial after the other: fill, poison,
/// check, pack, relayout, own chunk, push by both kinds of stores, push exchange (what it awaits
/// has come), norm and rotation, bf16 fill and compare, delay. Trials are the same each time.
void each_kernel_trial(const std::function<void(const kernel_trial&)>& visit);

}  // namespace ithaca::validation
