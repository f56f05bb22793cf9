#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ithaca::console {

/// How many insertions, deletions, replacements and swaps of neighbouring characters turn `a` into
/// `b` (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name that `wanted` was probably meant to be: the first of those with the smallest edit
/// distance, if at most a third of its characters (and at least one) would have to change; else
/// the first that begins with `wanted`; else empty.
std::string nearest_name(std::string_view wanted, std::span<const std::string> known);

/// The end of a sentence about an unknown name: "; did you mean 'nccl'?", or without a near one
/// "; known are 'a', 'b'".
std::string did_you_mean(std::string_view wanted, std::span<const std::string> known);

}  // namespace ithaca::console
